package dev.ratelimit.test;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Inspection;
import dev.ratelimit.store.Inspector;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.SettlementResult;
import dev.ratelimit.store.StoreCapabilities;
import dev.ratelimit.store.StoreDiagnostics;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.memory.MemoryStore;
import dev.ratelimit.support.Pending;

/**
 * Counts in memory, and can be reset. It replaces the Redis store, so the limiter runs
 * the same code as in production.
 */
final class TestRateLimitStore implements RateLimitStore, TestState {

	private final RateLimitClock clock;

	private volatile MemoryStore counts;

	TestRateLimitStore(RateLimitClock clock) {
		this.clock = clock;
		this.counts = new MemoryStore(clock::instant);
	}

	/** Also resets the clock to the time at which each test begins. */
	@Override
	public void clear() {
		this.clock.set(RateLimitClock.START);
		this.counts = new MemoryStore(this.clock::instant);
	}

	@Override
	public Pending<List<AcquireResult>> acquire(List<AcquireRequest> requests, Duration maxWait) {
		return this.counts.acquire(requests, maxWait);
	}

	@Override
	public Pending<List<SettlementResult>> settle(List<Settlement> settlements, Duration maxWait) {
		return this.counts.settle(settlements, maxWait);
	}

	@Override
	public String shard(AcquireRequest request) {
		return this.counts.shard(request);
	}

	@Override
	public StoreCapabilities capabilities() {
		return new StoreCapabilities("custom", StoreCapabilities.Scope.SHARED, EnumSet.allOf(Algorithm.class), false,
				Optional.empty(), Optional.empty(), Optional.of(new CurrentInspector()), StoreDiagnostics.NONE, () -> 0,
				() -> {
				});
	}

	@Override
	public String describe() {
		return "memory, on the clock of a test";
	}

	@Override
	public void close() {
		this.counts.close();
	}

	/** Inspects what is counted since the last reset. */
	private final class CurrentInspector implements Inspector {

		private Inspector current() {
			return TestRateLimitStore.this.counts.capabilities().inspector().orElseThrow();
		}

		@Override
		public Inspection peek(Limit limit, Subject subject, Duration maxWait) {
			return current().peek(limit, subject, maxWait);
		}

		@Override
		public Optional<StoreFailure> reset(Limit limit, Subject subject, Duration maxWait) {
			return current().reset(limit, subject, maxWait);
		}

	}

}
