package dev.ratelimit.embeddedredis;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * The {@code redis-server} to run: the configured one, otherwise the pinned one,
 * otherwise the one on the PATH.
 */
final class RedisBinary {

	/**
	 * System property with the path of the binary; takes precedence over
	 * {@link #VARIABLE}.
	 */
	static final String PROPERTY = "redis.server";

	/** Environment variable with the path of the binary. */
	static final String VARIABLE = "REDIS_SERVER";

	private RedisBinary() {
	}

	/**
	 * Find the binary. The pinned one is unpacked once per user.
	 * @return an executable file
	 * @throws IllegalStateException if the configured one cannot be run, or none is found
	 */
	static Path find() {
		return given().or(PinnedRedisBinary::unpack)
			.or(() -> Executables.onPath("redis-server"))
			.orElseThrow(() -> new IllegalStateException("No redis-server for " + PinnedRedisBinary.platform()
					+ ". Name one by the system property " + PROPERTY + " or the environment variable " + VARIABLE
					+ ", run on a platform that org.signal:embedded-redis has one for, or install one on the PATH"));
	}

	private static Optional<Path> given() {
		return given(PROPERTY, "system property", System.getProperty(PROPERTY))
			.or(() -> given(VARIABLE, "environment variable", System.getenv(VARIABLE)));
	}

	private static Optional<Path> given(String name, String kind, @Nullable String value) {
		if (value == null || value.isBlank()) {
			return Optional.empty();
		}
		if (!isExecutable(value)) {
			throw new IllegalStateException(
					"The " + kind + " " + name + " names '" + value + "', which is not an executable file");
		}
		return Optional.of(Path.of(value).toAbsolutePath());
	}

	private static boolean isExecutable(String value) {
		try {
			return Executables.isExecutable(Path.of(value));
		}
		catch (InvalidPathException ex) {
			return false;
		}
	}

}
