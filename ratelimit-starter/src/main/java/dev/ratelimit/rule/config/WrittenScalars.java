package dev.ratelimit.rule.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.IdentityHashMap;
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
 * The texts of values that YAML reads as numbers or booleans. YAML reads {@code 010} as
 * eight, {@code 0x10} as sixteen, {@code 1:30} as ninety and {@code no} as false. The
 * error should show what was written, which the value alone no longer contains. Reads
 * each resource once.
 */
final class WrittenScalars {

	private static final Pattern TOKEN = Pattern.compile("[-+]?[0-9][^\\s,}\\]#]*|[A-Za-z]+");

	/** By identity, because some resources compute a hash of all their bytes. */
	private final IdentityHashMap<Resource, List<String>> lines = new IdentityHashMap<>();

	/**
	 * The text of a value.
	 * @param value the value
	 * @param origin where it was written
	 * @return the text as it was written, if known; otherwise that of the value
	 */
	String textOf(Object value, Origin origin) {
		return (value instanceof Number || value instanceof Boolean) ? written(origin).orElseGet(value::toString)
				: String.valueOf(value);
	}

	private Optional<String> written(@Nullable Origin origin) {
		if (origin instanceof PropertySourceOrigin outer) {
			return written(outer.getOrigin());
		}
		if (origin instanceof TextResourceOrigin text && text.getResource() != null && text.getLocation() != null) {
			return token(text.getResource(), text.getLocation());
		}
		return Optional.empty();
	}

	private Optional<String> token(Resource resource, Location location) {
		try {
			String line = this.lines.computeIfAbsent(resource, WrittenScalars::lines).get(location.getLine());
			Matcher matcher = TOKEN.matcher(line)
				.region(line.offsetByCodePoints(0, location.getColumn()), line.length());
			return matcher.lookingAt() ? Optional.of(matcher.group()) : Optional.empty();
		}
		catch (IndexOutOfBoundsException ex) {
			// The resource has changed; the value itself is still available.
			return Optional.empty();
		}
	}

	/** None if the resource cannot be read again. */
	private static List<String> lines(Resource resource) {
		try (InputStream stream = resource.getInputStream()) {
			return new String(stream.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
		}
		catch (IOException | IllegalStateException ex) {
			return List.of();
		}
	}

}
