package dev.ratelimit.store;

import java.time.InstantSource;
import java.util.function.Function;

import dev.ratelimit.store.memory.MemoryStore;
import dev.ratelimit.store.redis.InjectedTime;
import dev.ratelimit.store.redis.SharedRedis;

/**
 * The stores that fulfil each contract, on the clock of the test. Those in Redis share
 * the connections of all tests.
 */
enum TestedStore {

	HEAP(MemoryStore::new),

	REDIS((clock) -> InjectedTime.store(SharedRedis.runner(), clock, SharedRedis.PREFIX)),

	REDIS_CLUSTER((clock) -> InjectedTime.store(SharedRedis.clusterRunner(), clock, SharedRedis.PREFIX));

	@SuppressWarnings("ImmutableEnumChecker")
	private final Function<InstantSource, RateLimitStore> opened;

	TestedStore(Function<InstantSource, RateLimitStore> opened) {
		this.opened = opened;
	}

	RateLimitStore open(InstantSource clock) {
		return this.opened.apply(clock);
	}

}
