package dev.ratelimit.limiter;

import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.ratelimit.RateLimitDecision.Source;
import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.fixture.Patience;
import dev.ratelimit.fixture.Watches;
import dev.ratelimit.limiter.health.StoreListener;
import dev.ratelimit.limiter.health.StoreWatch;
import dev.ratelimit.limiter.lease.RenewalsByHand;
import dev.ratelimit.limiter.refusal.DenyCache;
import dev.ratelimit.limiter.remote.Breakers;
import dev.ratelimit.limiter.remote.RemoteStore;
import dev.ratelimit.limiter.source.PermitSource;
import dev.ratelimit.limiter.source.PermitSources;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Mode;
import dev.ratelimit.rule.Mode.ModeKind;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.store.Limit;
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

	private Optional<StoreWatch> watch = Optional.empty();

	private DecisionListener listener = DecisionListener.none();

	private Duration deadline = Patience.LONG;

	private final Map<ModeKind, Function<RemoteStore, PermitSource>> sources = new EnumMap<>(ModeKind.class);

	private Optional<Breakers> breakers = Optional.empty();

	private TestLimiter(RateLimitStore store, InstantSource clock, LongSupplier nanoTime) {
		this.store = store;
		this.nanoTime = nanoTime;
		this.fallback = Fallback.alone(new MemoryStore(clock));
	}

	/** A limiter on a clock that the test moves. */
	public static TestLimiter over(RateLimitStore store, MovableClock clock) {
		return new TestLimiter(store, clock, clock::nanoTime);
	}

	/** A limiter in real time. */
	public static TestLimiter over(RateLimitStore store) {
		return over(store, System::nanoTime);
	}

	/** A limiter on another clock, with a fallback in real time. */
	public static TestLimiter over(RateLimitStore store, LongSupplier nanoTime) {
		return new TestLimiter(store, InstantSource.system(), nanoTime);
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
		this.watch = Optional.of(watch);
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

	/**
	 * Leased rules lease, instead of acquiring each permit from the store. Leases are
	 * renewed ahead by the request that makes them due.
	 */
	public TestLimiter leasing() {
		this.sources.put(ModeKind.LEASED, (remote) -> RenewalsByHand.atOnce(remote, this.nanoTime));
		return this;
	}

	/** Rules of a mode are decided from a source. */
	TestLimiter source(ModeKind mode, PermitSource source) {
		this.sources.put(mode, (remote) -> source);
		return this;
	}

	public TestLimiter breakers(Breakers breakers) {
		this.breakers = Optional.of(breakers);
		return this;
	}

	/** Inspects a store whose permits are all acquired one by one. */
	static ClientInspector inspector(RateLimitStore store) {
		return new ClientInspector(store, Fallback.alone(store), DenyCache.off(), new PermitSources(Map.of()),
				Patience.LONG);
	}

	/** The store with what stands before it. */
	public RemoteStore remote() {
		return new RemoteStore(this.store, this.source, this.breakers,
				this.watch.orElseGet(() -> Watches.quiet(this.nanoTime)), StoreListener.all(List.of()), this.nanoTime);
	}

	DecisionPipeline pipeline() {
		return pipeline(remote());
	}

	DecisionPipeline pipeline(RemoteStore remote) {
		Map<ModeKind, Supplier<PermitSource>> sources = new EnumMap<>(ModeKind.class);
		this.sources.forEach((mode, source) -> sources.put(mode, () -> source.apply(remote)));
		PermitSources created = new PermitSources(sources);
		created.follow(Stream.of(Mode.LEASED, Mode.SYNCED)
			.map((mode) -> RLConfig.builder("a")
				.algorithm(Algorithm.FIXED_WINDOW)
				.mode(mode)
				.thresholds("9/1s")
				.build())
			.map(Limit::of)
			.toList());
		return new DecisionPipeline(this.denyCache, created, remote, this.fallback, this.permitIds, this.listener,
				this.nanoTime);
	}

	public RequestLimiter build() {
		return new RequestLimiter(pipeline(), this.deadline);
	}

}
