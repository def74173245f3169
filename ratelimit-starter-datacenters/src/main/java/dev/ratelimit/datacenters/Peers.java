package dev.ratelimit.datacenters;

import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

import dev.ratelimit.spi.RedisScripts.OpenedRedis;

/**
 * The other data centres.
 *
 * @param name the name of this data centre
 * @param redis connections to the Redis of each other one, by its name
 * @param nanoTime a monotonic clock in nanoseconds
 */
record Peers(String name, Map<String, OpenedRedis> redis, LongSupplier nanoTime) {

	public Peers {
		redis = Map.copyOf(redis);
	}

	/**
	 * The names.
	 * @return all data centres
	 */
	DataCenters dataCenters() {
		return new DataCenters(this.name, List.copyOf(this.redis.keySet()));
	}

}
