package dev.ratelimit.proof;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;

import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.fixture.OlderRedis;

/**
 * A Redis whose clock can be moved, by libfaketime. That works only with
 * {@link OlderRedis}.
 */
final class FakedRedis implements AutoCloseable {

	private static final String PROPERTY = "redis.server";

	private final RedisServer server;

	private final Path offset;

	private FakedRedis(RedisServer server, Path offset) {
		this.server = server;
		this.offset = offset;
	}

	/**
	 * Debian's faketime.
	 * @return where it is; nothing where it is not installed
	 */
	static Optional<Path> faketime() {
		return Stream.of("x86_64-linux-gnu", "aarch64-linux-gnu", "")
			.map((platform) -> Path.of("/usr/lib", platform, "faketime", "libfaketimeMT.so.1"))
			.filter(Files::exists)
			.findFirst();
	}

	/**
	 * Start a server at the right time.
	 * @param faketime what fakes the time
	 * @param directory where to put what it needs
	 * @return the server
	 */
	static FakedRedis start(Path faketime, Path directory) throws IOException {
		Path binary = OlderRedis.unpack(directory);
		Path offset = Files.writeString(directory.resolve("offset"), "+0");
		Path script = Files.writeString(directory.resolve("redis-server.sh"), """
				#!/bin/sh
				export LD_PRELOAD=%s FAKETIME_TIMESTAMP_FILE=%s FAKETIME_NO_CACHE=1 DONT_FAKE_MONOTONIC=1
				exec %s "$@"
				""".formatted(faketime, offset, binary));
		if (!script.toFile().setExecutable(true)) {
			throw new IOException(script + " cannot be made executable");
		}
		System.setProperty(PROPERTY, script.toString());
		try {
			return new FakedRedis(RedisServer.start(), offset);
		}
		finally {
			System.clearProperty(PROPERTY);
		}
	}

	int port() {
		return this.server.port();
	}

	/** Makes its clock jump to this offset from the right time. */
	void jumpTo(Duration off) throws IOException {
		Path next = Files.writeString(this.offset.resolveSibling("next"), String.format("%+d", off.toSeconds()));
		Files.move(next, this.offset, StandardCopyOption.ATOMIC_MOVE);
	}

	@Override
	public void close() {
		this.server.close();
	}

}
