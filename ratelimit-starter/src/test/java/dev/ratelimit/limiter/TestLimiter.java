package dev.ratelimit.limiter;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;

import dev.ratelimit.RateLimitDecision.Source;
import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.fixture.Patience;
import dev.ratelimit.fixture.Watches;
import dev.ratelimit.limiter.lease.Leases;
import dev.ratelimit.limiter.outage.DenyCache;
import dev.ratelimit.limiter.remote.Breakers;
import dev.ratelimit.limiter.remote.RemoteStore;
import dev.ratelimit.limiter.remote.StoreListener;
import dev.ratelimit.limiter.remote.StoreTracer;
import dev.ratelimit.limiter.remote.StoreWatch;
import dev.ratelimit.limiter.stage.PermitSources;
import dev.ratelimit.rule.Mode.ModeKind;
import dev.ratelimit.store.PermitIds;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.memory.MemoryStore;

/**
 * Makes limiters for tests: without a deny cache, with permit ids that are the same in
 * each run, a fallback in memory, and a long deadline.
 */
public final class TestLimiter {

	private final RateLimitStore store;

	private final LongSupplier nanoTime;

	private Source source = Source.STORE;

	private Fallback fallback;

	private DenyCache denyCache = DenyCache.off();

	private PermitIds permitIds = new PermitIds(new SplittableRandom(1));

	private StoreWatch watch;

	private DecisionListener listener = DecisionListener.none();

	private Duration deadline = Patience.LONG;

	private boolean leases;

	private Optional<Breakers> breakers = Optional.empty();

	private TestLimiter(RateLimitStore store, InstantSource clock, LongSupplier nanoTime) {
		this.store = store;
		this.nanoTime = nanoTime;
		this.fallback = Fallback.alone(new MemoryStore(clock));
		this.watch = Watches.quiet(nanoTime);
	}

	/** A limiter on a clock that the test moves. */
	public static TestLimiter over(RateLimitStore store, MovableClock clock) {
		return new TestLimiter(store, clock, clock::nanoTime);
	}

	/** A limiter in real time. */
	public static TestLimiter over(RateLimitStore store) {
		return new TestLimiter(store, InstantSource.system(), System::nanoTime);
	}

	public TestLimiter source(Source source) {
		this.source = source;
		return this;
	}

	public TestLimiter fallback(Fallback fallback) {
		this.fallback = fallback;
		return this;
	}

	public TestLimiter denyCache(Duration longest) {
		this.denyCache = new DenyCache(longest);
		return this;
	}

	public TestLimiter permitIds(PermitIds permitIds) {
		this.permitIds = permitIds;
		return this;
	}

	public TestLimiter watch(StoreWatch watch) {
		this.watch = watch;
		return this;
	}

	public TestLimiter listener(DecisionListener listener) {
		this.listener = listener;
		return this;
	}

	public TestLimiter deadline(Duration deadline) {
		this.deadline = deadline;
		return this;
	}

	/** Leased rules lease, instead of acquiring each permit from the store. */
	public TestLimiter leasing() {
		this.leases = true;
		return this;
	}

	TestLimiter breakers(Breakers breakers) {
		this.breakers = Optional.of(breakers);
		return this;
	}

	DecisionPipeline pipeline() {
		RemoteStore remote = new RemoteStore(this.store, this.source, this.breakers, this.watch,
				StoreListener.all(List.of()), StoreTracer.NONE, this.nanoTime);
		PermitSources sources = new PermitSources(
				this.leases ? Map.of(ModeKind.LEASED, new Leases(remote, this.nanoTime)) : Map.of());
		return new DecisionPipeline(this.denyCache, sources, remote, this.fallback, this.permitIds, this.listener,
				this.nanoTime);
	}

	public RequestLimiter build() {
		return new RequestLimiter(pipeline(), this.listener, this.nanoTime, this.deadline);
	}

}
