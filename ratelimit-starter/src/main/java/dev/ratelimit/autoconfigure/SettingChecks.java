package dev.ratelimit.autoconfigure;

import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Map;
import java.util.regex.Pattern;

import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.source.InvalidSettingsException;
import dev.ratelimit.rule.source.Problem;
import dev.ratelimit.store.redis.resp.RedisStoreSettings;
import org.jspecify.annotations.Nullable;

import org.springframework.util.unit.DataSize;

/**
 * Checks the settings besides the rules. Each check throws an
 * {@link InvalidSettingsException} that names property, value and cure.
 */
final class SettingChecks {

	/**
	 * Braces would change the hash tag of a key; the other characters are unreadable in a
	 * log.
	 */
	private static final Pattern NOT_IN_KEY_PREFIX = Pattern.compile("[{}\\p{Z}\\p{C}]");

	private static final Pattern INSTANCES = Pattern.compile("[1-9][0-9]{0,3}|10000");

	/** A shorter time would be truncated to zero, which makes a socket wait forever. */
	private static final Duration MIN_TIMEOUT = Duration.ofMillis(1);

	private static final Duration MAX_TIMEOUT = Duration.ofMinutes(1);

	private static final Duration MIN_REFRESH = Duration.ofMillis(100);

	private static final Duration MAX_REFRESH = Duration.ofDays(1);

	/** YAML reads {@code no} and {@code on} as booleans. */
	private static final Pattern DATA_CENTER = Pattern.compile("(?!(?:true|false)$)[a-z0-9][a-z0-9-]{0,31}");

	private static final int MAX_PEERS = 9;

	private static final int MAX_PORT = 65_535;

	private static final Pattern TABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*(\\.[A-Za-z_][A-Za-z0-9_]*){0,2}");

	private static final Pattern STATE_PATH = Pattern.compile("(/[A-Za-z0-9._-]+)+");

	private SettingChecks() {
	}

	static void requireKeyPrefix(String property, String value) {
		int bytes = value.getBytes(StandardCharsets.UTF_8).length;
		if (bytes < 1 || bytes > RedisStoreSettings.MAX_PREFIX_BYTES || NOT_IN_KEY_PREFIX.matcher(value).find()) {
			throw invalid(property, value, "cannot start a Redis key", "Use 1 to " + RedisStoreSettings.MAX_PREFIX_BYTES
					+ " bytes without braces, blanks and control characters");
		}
	}

	/**
	 * Derive a key prefix from a text that was not written as one.
	 * @param text the text
	 * @return the text, with a dash for every character that a prefix must not have
	 * @throws InvalidSettingsException if it is too long
	 */
	static String keyPrefix(String text) {
		String prefix = NOT_IN_KEY_PREFIX.matcher(text).replaceAll("-");
		requireKeyPrefix("key-prefix", prefix);
		return prefix;
	}

	/** The message never includes the value of a secret. */
	static void requireSecret(String property, String value) {
		if (value.isBlank()) {
			throw invalid(property, "", "is empty", "Give it a long random value, or remove the name");
		}
	}

	static void requireDataCenter(String property, String value) {
		if (!DATA_CENTER.matcher(value).matches()) {
			throw invalid(property, value, "is not the name of a data centre",
					"Use 1 to 32 lower-case letters, digits and dashes, not starting with a dash. Quote a name that YAML "
							+ "reads as true or false, such as no");
		}
	}

	/** Each data centre has a name, and knows all others. */
	static void requirePeers(@Nullable String name, Map<String, RateLimitProperties.RedisLocation> peers) {
		String all = String.join(", ", peers.keySet());
		peers.forEach((peer, redis) -> {
			requireDataCenter("datacenter.peers", peer);
			requireRange("datacenter.peers." + peer + ".port", redis.port(), 1, MAX_PORT);
			requireRange("datacenter.peers." + peer + ".database", redis.database(), 0, Integer.MAX_VALUE);
		});
		if (name == null && !peers.isEmpty()) {
			throw invalid("datacenter.peers", all, "has no effect without datacenter.name",
					"Name the data centre in which this instance runs");
		}
		if (name != null && peers.containsKey(name)) {
			throw invalid("datacenter.peers", name, "is the data centre of this instance",
					"List the others; the Redis here stands under spring.data.redis");
		}
		if (peers.size() > MAX_PEERS) {
			throw invalid("datacenter.peers", all, "are more than " + MAX_PEERS,
					"Share limits between fewer data centres");
		}
	}

	static void requireTimeout(String property, Duration value) {
		requireBetween(property, value, MIN_TIMEOUT, MAX_TIMEOUT, "1ms to 1m");
	}

	static void requireUpToAMinute(String property, Duration value) {
		requireBetween(property, value, Duration.ZERO, MAX_TIMEOUT, "0ms to 1m");
	}

	static void requireInstances(String property, String value) {
		if (!value.equals(RateLimitProperties.AUTO) && !INSTANCES.matcher(value).matches()) {
			throw invalid(property, value, "is no number of instances", "Use a whole number from 1 to 10000, or auto");
		}
	}

	static void requireRange(String property, int value, int min, int max) {
		if (value < min || value > max) {
			throw invalid(property, Integer.toString(value), "is out of range",
					"Use a whole number from " + min + " to " + max);
		}
	}

	static void requirePositive(String property, DataSize value) {
		if (value.toBytes() < 1) {
			throw invalid(property, value.toString(), "is out of range",
					"Use a size of at least 1B, such as 256KB or 1MB");
		}
	}

	static void requireOrder(String property, int value, int later) {
		if (value >= later) {
			throw invalid(property, Integer.toString(value), "is not before the other filter's order " + later,
					"Use a smaller number, or raise filter.after-security-order");
		}
	}

	/**
	 * With another order the user would be unknown to rules that count by name, and all
	 * users would be counted as one client.
	 */
	static void requireAround(RateLimitProperties.Filter filter, int securityOrder) {
		if (filter.beforeSecurityOrder() >= securityOrder) {
			throw invalid("filter.before-security-order", Integer.toString(filter.beforeSecurityOrder()),
					"is not before Spring Security, whose filter has the order " + securityOrder,
					"Use a number below " + securityOrder + ", or raise spring.security.filter.order");
		}
		if (filter.afterSecurityOrder() <= securityOrder) {
			throw invalid("filter.after-security-order", Integer.toString(filter.afterSecurityOrder()),
					"is not behind Spring Security, whose filter has the order " + securityOrder,
					"Use a number above " + securityOrder + ", or lower spring.security.filter.order");
		}
	}

	static void requirePath(String property, String value) {
		try {
			RLConfig.requirePath(value);
		}
		catch (InvalidRuleException ex) {
			throw invalid(property, value, ex.reason(), ex.cure());
		}
	}

	static void requireStatePath(String property, String value) {
		requirePath(property, value);
		if (!STATE_PATH.matcher(value).matches()) {
			throw invalid(property, value, "is no plain path",
					"Use letters, digits, dashes and dots between slashes, and none at the end, such as "
							+ "/ratelimit/queue");
		}
	}

	static void requireBetween(String property, Duration value, Duration min, Duration max, String range) {
		if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
			throw invalid(property, value.toString(), "is out of range", "Use a duration from " + range);
		}
	}

	static void requireFile(String property, String value) {
		try {
			if (!value.isBlank() && !value.startsWith("file:") && !value.startsWith("classpath:")
					&& Path.of(value).getFileName() != null) {
				return;
			}
		}
		catch (InvalidPathException ex) {
			// Not a path; refused below.
		}
		throw invalid(property, value, "is no path of a file",
				"Write it without any prefix, such as /etc/my-application/rate-limits.yml");
	}

	static void requireRefresh(String property, Duration value) {
		requireBetween(property, value, MIN_REFRESH, MAX_REFRESH, "100ms to 1d");
	}

	/** The name of the table becomes part of a query. */
	static void requireTable(@Nullable String table, @Nullable String dataSource) {
		if (table == null && dataSource != null) {
			throw invalid("rule-source.jdbc.data-source", dataSource, "has no effect without rule-source.jdbc.table",
					"Name the table of the rules, or remove the name of its DataSource");
		}
		if (table != null && !TABLE.matcher(table).matches()) {
			throw invalid("rule-source.jdbc.table", table, "is no name of a table",
					"Use letters, digits and underscores, with a schema and a dot before them where it needs one");
		}
	}

	static void requireWholeSeconds(String property, Duration value) {
		if (value.compareTo(Duration.ofSeconds(1)) < 0 || value.compareTo(MAX_TIMEOUT) > 0
				|| value.toNanosPart() != 0) {
			throw invalid(property, value.toString(), "is out of range", "Use whole seconds from 1s to 1m");
		}
	}

	static InvalidSettingsException noDataSource(String name, List<String> known) {
		String property = "rule-source.jdbc." + (name.isEmpty() ? "table" : "data-source");
		return invalid(property, name, name.isEmpty() ? "has no DataSource to be read from" : "names no DataSource",
				known.isEmpty() ? "Let Spring Boot configure a database (spring.datasource.*)"
						: "Name one of them in ratelimit.rule-source.jdbc.data-source: " + known);
	}

	static InvalidSettingsException invalid(String property, String value, String reason, String cure) {
		return new InvalidSettingsException(
				List.of(new Problem("ratelimit." + property, value, Optional.empty(), reason, cure)));
	}

}
