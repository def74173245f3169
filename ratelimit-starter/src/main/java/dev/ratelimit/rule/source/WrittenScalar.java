package dev.ratelimit.rule.source;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.PropertySourceOrigin;
import org.springframework.boot.origin.TextResourceOrigin;
import org.springframework.boot.origin.TextResourceOrigin.Location;
import org.springframework.core.io.Resource;

/**
 * The text of a value that YAML reads as a number or a boolean. YAML reads {@code 010} as
 * eight, {@code 0x10} as sixteen, {@code 1:30} as ninety and {@code no} as false. The
 * error should show what was written, which the value alone no longer contains.
 */
final class WrittenScalar {

	private static final Pattern TOKEN = Pattern.compile("[-+]?[0-9][^\\s,}\\]#]*|[A-Za-z]+");

	private WrittenScalar() {
	}

	/**
	 * The text of a value.
	 * @param value the value
	 * @param origin where it was written
	 * @return the text as it was written, if known; otherwise that of the value
	 */
	static String textOf(Object value, Origin origin) {
		return (value instanceof Number || value instanceof Boolean) ? written(origin).orElseGet(value::toString)
				: String.valueOf(value);
	}

	private static Optional<String> written(@Nullable Origin origin) {
		if (origin instanceof PropertySourceOrigin outer) {
			return written(outer.getOrigin());
		}
		if (origin instanceof TextResourceOrigin text && text.getResource() != null && text.getLocation() != null) {
			return token(text.getResource(), text.getLocation());
		}
		return Optional.empty();
	}

	private static Optional<String> token(Resource resource, Location location) {
		try (InputStream stream = resource.getInputStream()) {
			List<String> lines = new String(stream.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
			String line = lines.get(location.getLine());
			Matcher matcher = TOKEN.matcher(line)
				.region(line.offsetByCodePoints(0, location.getColumn()), line.length());
			return matcher.lookingAt() ? Optional.of(matcher.group()) : Optional.empty();
		}
		catch (IOException | IllegalStateException | IndexOutOfBoundsException ex) {
			// The origin cannot be read again or has changed; the value itself is still
			// available.
			return Optional.empty();
		}
	}

}
