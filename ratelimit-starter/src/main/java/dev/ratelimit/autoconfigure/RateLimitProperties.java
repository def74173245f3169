package dev.ratelimit.autoconfigure;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

import dev.ratelimit.spi.SettingChecks;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Settings beside the rules.
 *
 * @param enabled Whether rules are enforced. Where they are not, the beans stay and
 * admit.
 * @param store Where requests are counted.
 * @param keyPrefix Start of every Redis key, at most 80 bytes without braces and blanks.
 * Includes the application's name unless set.
 * @param keySecret Secret that turns the hashes of keys in Redis into HMACs.
 * @param deadline Longest time a request waits for the answers of the store, from when it
 * is sent, 1ms to 1m. Before that it waits for connections, threads and processor of the
 * application, at most four times as long.
 * @param denyCache Longest time for which a refusal of Redis is repeated from memory, 0
 * to 1m; with 0 never.
 * @param instances Number of instances that share the limits while the store cannot
 * answer, 1 to 10000; or auto, which counts those that live.
 * @param trustedProxies Comma-separated list of addresses or CIDR ranges whose forwarding
 * header is believed.
 * @param forwardedHeader Header in which trusted proxies name the client.
 * @param ipv6Prefix Length of the IPv6 prefix that is counted as one client, 32 to 128. A
 * shorter one would count a whole provider as one client.
 * @param logMemoryWarning Estimated memory of one key of a sliding-window log in Redis
 * above which the start warns, at least 1B.
 * @param exempt What is never limited.
 * @param headers Headers of decided responses.
 * @param breaker Circuit breaker between the limiter and the store.
 * @param redis Connections of the limiter to Redis.
 * @param filter Place of the filter in the chain.
 * @param ruleSource Places beside this configuration that rules come from.
 * @param clients Calls of RestClient, RestTemplate and HTTP interfaces that wait for
 * their turn under a rule, by names of your choice.
 */
@ConfigurationProperties("ratelimit")
public record RateLimitProperties(@DefaultValue("true") boolean enabled, @DefaultValue("redis") Store store,
		@Nullable String keyPrefix, @Nullable String keySecret, @DefaultValue("250ms") Duration deadline,
		@DefaultValue("1s") Duration denyCache, @DefaultValue("auto") String instances,
		@DefaultValue List<String> trustedProxies, @DefaultValue("x-forwarded-for") ForwardedHeader forwardedHeader,
		@DefaultValue("64") int ipv6Prefix, @DefaultValue("256KB") DataSize logMemoryWarning,
		@DefaultValue Exempt exempt, @DefaultValue Headers headers, @DefaultValue Breaker breaker,
		@DefaultValue Redis redis, @DefaultValue Filter filter, @DefaultValue RuleSources ruleSource,
		@DefaultValue Map<String, Client> clients) {

	/** The setting for counting instances automatically. */
	static final String AUTO = "auto";

	public RateLimitProperties {
		if (keyPrefix != null) {
			KeyPrefix.requireKeyPrefix("key-prefix", keyPrefix);
		}
		if (keySecret != null) {
			// The message never includes the value of a secret.
			SettingChecks.require(!keySecret.isBlank(), "key-secret", "", "is empty",
					"Give it a long random value, or remove the name");
		}
		// A socket with a shorter timeout would wait forever.
		SettingChecks.between("deadline", deadline, "1ms", "1m");
		SettingChecks.between("deny-cache", denyCache, "0ms", "1m");
		SettingChecks.matches("instances", instances, AUTO + "|[1-9][0-9]{0,3}|10000", "is no number of instances",
				"Use a whole number from 1 to 10000, or auto");
		SettingChecks.between("ipv6-prefix", ipv6Prefix, 32, 128);
		SettingChecks.require(logMemoryWarning.toBytes() >= 1, "log-memory-warning", logMemoryWarning,
				"is out of range", "Use a size of at least 1B, such as 256KB or 1MB");
		trustedProxies = List.copyOf(trustedProxies);
		clients = new LinkedHashMap<>(clients);
		clients.forEach((name, client) -> client.check("clients." + name));
	}

	/** Without the secret and the passwords. */
	@Override
	public String toString() {
		return "RateLimitProperties";
	}

	/**
	 * The configured number of instances that share the limits.
	 * @return their number; empty if they are counted automatically
	 */
	OptionalInt fixedInstances() {
		return AUTO.equals(this.instances) ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(this.instances));
	}

	/** Where requests are counted. */
	public enum Store {

		/** In Redis, shared by all instances. */
		REDIS,

		/** In the memory of this instance. */
		MEMORY,

		/** In Memcached, shared by all instances; needs ratelimit-starter-memcached. */
		MEMCACHED

	}

	/** Header in which trusted proxies name the client. */
	public enum ForwardedHeader {

		/** The de facto standard. */
		X_FORWARDED_FOR,

		/** RFC 7239. */
		FORWARDED

	}

	/**
	 * What is never limited.
	 *
	 * @param addresses Comma-separated list of client addresses or CIDR ranges that are
	 * never limited.
	 * @param paths Comma-separated list of path patterns that are never limited.
	 */
	public record Exempt(@DefaultValue List<String> addresses, @DefaultValue List<String> paths) {

		public Exempt {
			addresses = List.copyOf(addresses);
			paths = List.copyOf(paths);
			paths.forEach((path) -> SettingChecks.requirePath("exempt.paths", path));
		}

	}

	/**
	 * Headers of decided responses.
	 *
	 * @param legacy Whether to send X-RateLimit-Limit, -Remaining, -Reset and
	 * -Retry-After.
	 * @param ietf Draft of the IETF fields RateLimit and RateLimit-Policy to follow.
	 * @param resetFormat Form of X-RateLimit-Reset.
	 */
	public record Headers(@DefaultValue("true") boolean legacy, @DefaultValue("draft-10") Ietf ietf,
			@DefaultValue("delta-seconds") ResetFormat resetFormat) {

		/** Draft of the IETF fields. */
		public enum Ietf {

			/** The fields are sent as in draft-ietf-httpapi-ratelimit-headers-10. */
			DRAFT_10,

			/** A synonym of {@link #DRAFT_10}. */
			DRAFT_11,

			/** The fields are not sent. */
			OFF

		}

		/** Form of X-RateLimit-Reset. */
		public enum ResetFormat {

			/** Seconds from now. */
			DELTA_SECONDS,

			/** Seconds since 1970. */
			EPOCH_SECONDS

		}

	}

	/**
	 * Circuit breaker between the limiter and the store, one per Redis node.
	 *
	 * @param enabled Whether a node that fails is not called for a while.
	 * @param failures Number of failures in a row, apart from each other, until a node is
	 * not called, 1 to 1000. Two deadlines without an answer suffice as well.
	 * @param openDuration Longest time for which a node is not called before one call
	 * tries again, 1ms to 1m. The first tries after 50ms, and each waits twice as long.
	 */
	public record Breaker(@DefaultValue("true") boolean enabled, @DefaultValue("5") int failures,
			@DefaultValue("1s") Duration openDuration) {

		public Breaker {
			SettingChecks.between("breaker.failures", failures, 1, 1000);
			SettingChecks.between("breaker.open-duration", openDuration, "1ms", "1m");
		}

	}

	/**
	 * Connections of the limiter to Redis.
	 *
	 * @param maxConnections Largest number of connections to one Redis node, 1 to 10000.
	 * @param maxWaiting Largest number of requests that wait for a connection to one
	 * Redis node, 0 to 100000. Others are refused with 503 at once, or admitted where
	 * on-store-failure is allow.
	 * @param connectTimeout Longest time to open a connection, 1ms to 1m.
	 */
	public record Redis(@DefaultValue("32") int maxConnections, @DefaultValue("10000") int maxWaiting,
			@DefaultValue("500ms") Duration connectTimeout) {

		public Redis {
			SettingChecks.between("redis.max-connections", maxConnections, 1, 10_000);
			SettingChecks.between("redis.max-waiting", maxWaiting, 0, 100_000);
			SettingChecks.between("redis.connect-timeout", connectTimeout, "1ms", "1m");
		}

	}

	/**
	 * Place of the filter in the chain.
	 *
	 * @param beforeSecurityOrder Order of the filter that decides before Spring Security.
	 * @param afterSecurityOrder Order of the filter that decides behind Spring Security;
	 * where there is no Spring Security it decides everything.
	 */
	public record Filter(@DefaultValue("-110") int beforeSecurityOrder, @DefaultValue("-90") int afterSecurityOrder) {

		public Filter {
			SettingChecks.require(beforeSecurityOrder < afterSecurityOrder, "filter.before-security-order",
					beforeSecurityOrder, "is not before the other filter's order " + afterSecurityOrder,
					"Use a smaller number, or raise filter.after-security-order");
		}

	}

	/**
	 * Calls that wait for their turn under a rule.
	 *
	 * @param rule Id of the rule, which must give turns: algorithm sliding-window-log,
	 * mode strict, count-rejected false.
	 * @param hosts Comma-separated list of the hosts that are called. *.example.com is
	 * every host below example.com.
	 * @param key What calls are counted by: host, header:NAME of the call, or a text that
	 * is the same for all calls. The host unless set; nothing for a rule with key global.
	 * @param maxWait Longest time a call waits for its turn, 0s to 1d.
	 */
	public record Client(@Nullable String rule, @DefaultValue List<String> hosts, @Nullable String key,
			@DefaultValue("2s") Duration maxWait) {

		public Client {
			hosts = List.copyOf(hosts);
		}

		void check(String property) {
			ClientChecks.requireHosts(property + ".hosts", this.hosts);
			ClientChecks.requireKey(property + ".key", this.key);
			SettingChecks.between(property + ".max-wait", this.maxWait, "0s", "1d");
		}

		/**
		 * The id of the client's rule, which is checked to be set.
		 * @return the id
		 */
		String ruleId() {
			return Objects.requireNonNull(this.rule);
		}

	}

	/**
	 * Places beside this configuration that rules come from, while the application runs
	 * too. A rule is taken whole from the first of RuleSource beans, table, file and
	 * configuration that has it.
	 *
	 * @param file Path of a YAML file that holds ratelimit.rules, in the form that they
	 * have here, and nothing else. A change is noticed within about a second.
	 * @param refresh Longest time until a change is noticed, 100ms to 1d.
	 * @param jdbc Table of rules in a database.
	 */
	public record RuleSources(@Nullable String file, @DefaultValue("10s") Duration refresh, @DefaultValue Jdbc jdbc) {

		public RuleSources {
			if (file != null) {
				SettingChecks.require(isFile(file), "rule-source.file", file, "is no path of a file",
						"Write it without any prefix, such as /etc/my-application/rate-limits.yml");
			}
			SettingChecks.between("rule-source.refresh", refresh, "100ms", "1d");
		}

		private static boolean isFile(String value) {
			try {
				return !value.isBlank() && !value.startsWith("file:") && !value.startsWith("classpath:")
						&& Path.of(value).getFileName() != null;
			}
			catch (InvalidPathException ex) {
				return false;
			}
		}

		/**
		 * The path of the file.
		 * @return the path, if a file is configured
		 */
		Optional<Path> path() {
			return Optional.ofNullable(this.file).map(Path::of);
		}

		/**
		 * Table of rules in a database.
		 *
		 * @param table Name of a table with the columns id and definition, which holds
		 * the keys of the rule as YAML. With its schema where it needs one.
		 * @param dataSource Name of the DataSource bean, where there are several.
		 * @param queryTimeout Longest time that reading the table may take, 1s to 1m in
		 * whole seconds.
		 */
		public record Jdbc(@Nullable String table, @Nullable String dataSource,
				@DefaultValue("2s") Duration queryTimeout) {

			private static final String NAME = "[A-Za-z_][A-Za-z0-9_]*";

			public Jdbc {
				SettingChecks.require(table != null || dataSource == null, "rule-source.jdbc.data-source",
						String.valueOf(dataSource), "has no effect without rule-source.jdbc.table",
						"Name the table of the rules, or remove the name of its DataSource");
				if (table != null) {
					// The name becomes part of a query.
					SettingChecks.matches("rule-source.jdbc.table", table, NAME + "(\\." + NAME + "){0,2}",
							"is no name of a table",
							"Use letters, digits and underscores, with a schema and a dot before them where it needs "
									+ "one");
				}
				SettingChecks.require(
						queryTimeout.toSeconds() >= 1 && queryTimeout.toSeconds() <= 60
								&& queryTimeout.toNanosPart() == 0,
						"rule-source.jdbc.query-timeout", queryTimeout, "is out of range",
						"Use whole seconds from 1s to 1m");
			}

		}

	}

}
