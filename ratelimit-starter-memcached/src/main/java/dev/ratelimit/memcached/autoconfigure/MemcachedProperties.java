package dev.ratelimit.memcached.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.memcached.meta.Credentials;
import dev.ratelimit.memcached.meta.ServerAddress;
import dev.ratelimit.spi.InvalidSettingsException;
import dev.ratelimit.spi.Problem;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Connections of the limiter to Memcached.
 *
 * @param nodes Comma-separated list of the servers, host:port, where port 11211 may be
 * left out. The same list on all instances.
 * @param maxConnections Most connections to one server, 1 to 10000.
 * @param maxWaiting Most requests that wait for a connection to one server, 0 to 100000;
 * others fail at once.
 * @param connectTimeout Longest time that opening a connection may take, 1ms to 1m.
 * @param username User of servers that run with -Y.
 * @param password Password of that user.
 * @param ssl Encryption of the connections.
 */
@ConfigurationProperties("ratelimit.memcached")
public record MemcachedProperties(@DefaultValue List<String> nodes, @DefaultValue("32") int maxConnections,
		@DefaultValue("10000") int maxWaiting, @DefaultValue("500ms") Duration connectTimeout,
		@Nullable String username, @Nullable String password, @DefaultValue Ssl ssl) {

	private static final Duration SHORTEST_TIMEOUT = Duration.ofMillis(1);

	private static final Duration LONGEST_TIMEOUT = Duration.ofMinutes(1);

	public MemcachedProperties {
		nodes = List.copyOf(nodes);
		for (String node : nodes) {
			require(ServerAddress.of(node).isPresent(), "nodes", node, "is no address of a server",
					"Write host:port, such as cache-1.example.com:11211");
		}
		requireRange("max-connections", maxConnections, 1, 10_000);
		requireRange("max-waiting", maxWaiting, 0, 100_000);
		require(connectTimeout.compareTo(SHORTEST_TIMEOUT) >= 0 && connectTimeout.compareTo(LONGEST_TIMEOUT) <= 0,
				"connect-timeout", connectTimeout.toString(), "is out of range", "Use a duration from 1ms to 1m");
		// The message never includes a secret.
		require((username == null) == (password == null), "username", "", "needs a password, and a password a user",
				"Set both, or neither");
		requireWord("username", username, username);
		requireWord("password", password, "");
	}

	private static void requireWord(String name, @Nullable String word, @Nullable String shown) {
		require(word == null || Credentials.isWord(word), name, String.valueOf(shown),
				"is empty or has a blank or a control character", "Choose one without blanks and control characters");
	}

	private static void requireRange(String name, int value, int min, int max) {
		require(value >= min && value <= max, name, Integer.toString(value), "is out of range",
				"Use a whole number from " + min + " to " + max);
	}

	private static void require(boolean condition, String name, String value, String reason, String cure) {
		if (!condition) {
			throw new InvalidSettingsException(
					List.of(new Problem("ratelimit.memcached." + name, value, Optional.empty(), reason, cure)));
		}
	}

	/** Never with the password. */
	@Override
	public String toString() {
		return "MemcachedProperties[nodes=%s, maxConnections=%d, maxWaiting=%d, connectTimeout=%s, username=%s, ssl=%s]"
			.formatted(this.nodes, this.maxConnections, this.maxWaiting, this.connectTimeout, this.username, this.ssl);
	}

	/**
	 * Encryption of the connections.
	 *
	 * @param bundle SSL bundle of the connections; without, they are not encrypted.
	 */
	public record Ssl(@Nullable String bundle) {
	}

}
