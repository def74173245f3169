package dev.ratelimit.datacenters;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.ratelimit.spi.RedisLocation;
import dev.ratelimit.spi.SettingChecks;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Data centres that share the limits of rules whose scope is everywhere.
 *
 * @param name Name of the data centre in which this instance runs.
 * @param peers Redis of each other data centre by its name, in the form of
 * spring.data.redis.
 */
@ConfigurationProperties("ratelimit.datacenter")
public record DataCenterProperties(@Nullable String name, @DefaultValue Map<String, RedisLocation> peers) {

	private static final int MAX_PEERS = 9;

	private static final int MAX_PORT = 65_535;

	public DataCenterProperties {
		peers = new LinkedHashMap<>(peers);
		if (name != null) {
			requireName("datacenter.name", name);
		}
		requirePeers(name, peers);
	}

	/** YAML reads {@code no} and {@code on} as booleans. */
	private static void requireName(String property, String name) {
		SettingChecks.matches(property, name, "(?!(?:true|false)$)[a-z0-9][a-z0-9-]{0,31}",
				"is not the name of a data centre",
				"Use 1 to 32 lower-case letters, digits and dashes, not starting with a dash. Quote a name that "
						+ "YAML reads as true or false, such as no");
	}

	/** Each data centre has a name, and knows all others. */
	private static void requirePeers(@Nullable String name, Map<String, RedisLocation> peers) {
		String all = String.join(", ", peers.keySet());
		peers.forEach((peer, redis) -> {
			requireName("datacenter.peers", peer);
			SettingChecks.between("datacenter.peers." + peer + ".port", redis.port(), 1, MAX_PORT);
			SettingChecks.between("datacenter.peers." + peer + ".database", redis.database(), 0, Integer.MAX_VALUE);
		});
		SettingChecks.require(name != null || peers.isEmpty(), "datacenter.peers", all,
				"has no effect without datacenter.name", "Name the data centre in which this instance runs");
		SettingChecks.require(name == null || !peers.containsKey(name), "datacenter.peers", String.valueOf(name),
				"is the data centre of this instance",
				"List the others; the Redis here stands under spring.data.redis");
		SettingChecks.require(peers.size() <= MAX_PEERS, "datacenter.peers", all, "are more than " + MAX_PEERS,
				"Share limits between fewer data centres");
	}

	/**
	 * All data centres. Without peers, limits of all data centres are limits of this one.
	 */
	Optional<DataCenters> dataCenters() {
		return Optional.ofNullable(this.name)
			.filter((here) -> !this.peers.isEmpty())
			.map((here) -> new DataCenters(here, List.copyOf(this.peers.keySet())));
	}

}
