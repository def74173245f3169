package dev.ratelimit.memcached;

import java.time.Duration;
import java.time.InstantSource;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.test.RateLimitStoreContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * The published contract of stores. Skipped is what Memcached cannot do: other
 * algorithms, windows above 29 days, and what needs to move the clock of fixed windows,
 * which is the server's. A clock that steps back counts in other keys.
 */
class MemcachedStoreTests extends RateLimitStoreContract {

	private static MemcachedServer server;

	private boolean ownClock;

	@BeforeAll
	static void start() {
		server = MemcachedServer.start();
	}

	@AfterAll
	static void stop() {
		if (server != null) {
			server.close();
		}
	}

	@Override
	protected RateLimitStore open(InstantSource clock) {
		server.ask("flush_all");
		return new MemcachedStore(MemcachedServer.connections(server.address()).open(), "rl:test", clock,
				(rule, acknowledged) -> {
				});
	}

	@Override
	protected Limit limit(Algorithm algorithm, String rule, String... thresholds) {
		Limit limit = super.limit(algorithm, rule, thresholds);
		this.ownClock = algorithm == Algorithm.SLIDING_WINDOW_COUNTER;
		assumeTrue(limit.windowMicros(limit.size() - 1) <= Duration.ofDays(29).toNanos() / 1000,
				"Memcached keeps no window above 29 days");
		return limit;
	}

	@Override
	protected void assumeClockMoves(Duration by) {
		assumeTrue(this.ownClock, "Fixed windows count on the clock of the server");
		assumeFalse(by.isNegative(), "The counts of another time are in other keys");
	}

}
