package dev.ratelimit.store.redis;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

import dev.ratelimit.fixture.DelegatingStore;
import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.PlanSequences;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.Sequence;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.memory.MemoryStore;
import dev.ratelimit.support.Pending;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterProperty;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Random histories of clients with several plans: at the same times the Lua returns the
 * same results as its twin on the heap, and no key outlives the longest window of any
 * plan.
 */
class PlansOracleTests {

	private static final AtomicInteger SUBJECTS = new AtomicInteger();

	@Property(tries = 700, edgeCases = EdgeCasesMode.NONE)
	void theScriptAgreesWithItsTwinWithOtherWindows(@ForAll("otherWindows") Sequence sequence) {
		assertAgreement(sequence);
	}

	@Property(tries = 700, edgeCases = EdgeCasesMode.NONE)
	void theScriptAgreesWithItsTwinWithAnyWindows(@ForAll("anyWindows") Sequence sequence) {
		assertAgreement(sequence);
	}

	@Property(tries = 700, edgeCases = EdgeCasesMode.NONE)
	void theScriptAgreesWithItsTwinWhereTheClockStepsBack(@ForAll("withStepsBack") Sequence sequence) {
		assertAgreement(sequence);
	}

	@Property(tries = 700, edgeCases = EdgeCasesMode.NONE)
	void theScriptAgreesWithItsTwinAtTheEndsOfWindows(@ForAll("aroundTheEnds") Sequence sequence) {
		assertAgreement(sequence, SweptAtOnce::new, Map.of());
	}

	private static void assertAgreement(Sequence sequence) {
		assertAgreement(sequence, (store) -> store, Map.of());
	}

	/** With a script of the test instead of the shipped one. */
	static void assertAgreement(Sequence sequence, String script) {
		assertAgreement(sequence, (store) -> store, Map.of(StoredFormat.of(sequence.limit()), script));
	}

	private static void assertAgreement(Sequence sequence, Function<MemoryStore, RateLimitStore> twin,
			Map<StoredFormat, String> scripts) {
		Subject subject = new Subject("plans-" + SUBJECTS.incrementAndGet());
		MovableClock clock = new MovableClock();
		MovableClock twinClock = new MovableClock();
		RedisStore store = InjectedTime.store(SharedRedis.runner(), clock, SharedRedis.PREFIX, scripts);
		assertThat(sequence.replay(store, clock, subject))
			.isEqualTo(sequence.replay(twin.apply(new MemoryStore(twinClock)), twinClock, subject));
	}

	/** Removes what has passed as soon as possible. */
	private static final class SweptAtOnce extends DelegatingStore {

		private final MemoryStore store;

		SweptAtOnce(MemoryStore store) {
			super(store);
			this.store = store;
		}

		@Override
		public Pending<List<AcquireResult>> acquire(List<AcquireRequest> requests, Duration maxWait) {
			this.store.sweep(1);
			return super.acquire(requests, maxWait);
		}

	}

	@Provide
	Arbitrary<Sequence> otherWindows() {
		return PlanSequences.ofOtherWindows();
	}

	@Property(tries = 700, edgeCases = EdgeCasesMode.NONE)
	void theScriptAgreesWithItsTwinWhereTheRuleChanges(@ForAll("changedRules") Sequence sequence) {
		assertAgreement(sequence);
	}

	@Provide
	Arbitrary<Sequence> changedRules() {
		return PlanSequences.ofChangedRules(Algorithm.TOKEN_BUCKET, Algorithm.LEAKY_BUCKET, Algorithm.FIXED_WINDOW,
				Algorithm.SLIDING_WINDOW_COUNTER);
	}

	@Provide
	Arbitrary<Sequence> anyWindows() {
		return PlanSequences.ofAnyWindows(false);
	}

	@Provide
	Arbitrary<Sequence> withStepsBack() {
		return PlanSequences.ofAnyWindows(true);
	}

	@Provide
	Arbitrary<Sequence> aroundTheEnds() {
		// A log stores entries for no longer window than that of their plan: its key
		// would expire, but not on this clock.
		return PlanSequences.aroundTheEnds(Algorithm.TOKEN_BUCKET, Algorithm.LEAKY_BUCKET, Algorithm.FIXED_WINDOW,
				Algorithm.SLIDING_WINDOW_COUNTER);
	}

	@AfterProperty
	void everyKeyExpires() {
		SharedRedis.checkAndRemoveKeys();
	}

}
