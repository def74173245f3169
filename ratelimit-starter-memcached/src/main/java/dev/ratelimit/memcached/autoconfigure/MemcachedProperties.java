package dev.ratelimit.memcached.autoconfigure;

import java.time.Duration;
import java.util.List;

import dev.ratelimit.memcached.meta.Credentials;
import dev.ratelimit.memcached.meta.ServerAddress;
import dev.ratelimit.spi.SettingChecks;
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

	private static final String PREFIX = "memcached.";

	public MemcachedProperties {
		nodes = List.copyOf(nodes);
		for (String node : nodes) {
			SettingChecks.require(ServerAddress.of(node).isPresent(), PREFIX + "nodes", node,
					"is no address of a server", "Write host:port, such as cache-1.example.com:11211");
		}
		SettingChecks.between(PREFIX + "max-connections", maxConnections, 1, 10_000);
		SettingChecks.between(PREFIX + "max-waiting", maxWaiting, 0, 100_000);
		SettingChecks.between(PREFIX + "connect-timeout", connectTimeout, "1ms", "1m");
		// The message never includes a secret.
		SettingChecks.require((username == null) == (password == null), PREFIX + "username", "",
				"needs a password, and a password a user", "Set both, or neither");
		requireWord("username", username, username);
		requireWord("password", password, "");
	}

	private static void requireWord(String name, @Nullable String word, @Nullable String shown) {
		SettingChecks.require(word == null || Credentials.isWord(word), PREFIX + name, String.valueOf(shown),
				"is empty or has a blank or a control character", "Choose one without blanks and control characters");
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
