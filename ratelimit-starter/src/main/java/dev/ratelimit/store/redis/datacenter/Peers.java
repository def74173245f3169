package dev.ratelimit.store.redis.datacenter;

import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

import dev.ratelimit.store.wire.CallRunner;

/**
 * The other data centres.
 *
 * @param name the name of this data centre
 * @param redis connections to the Redis of each other one, by its name
 * @param keyHash a hash of what keys are made with, which differs where they differ
 * @param nanoTime a monotonic clock in nanoseconds
 */
public record Peers(String name, Map<String, CallRunner> redis, String keyHash, LongSupplier nanoTime) {

	public Peers {
		redis = Map.copyOf(redis);
	}

	/**
	 * The names.
	 * @return all data centres
	 */
	public DataCenters dataCenters() {
		return new DataCenters(this.name, List.copyOf(this.redis.keySet()));
	}

}
