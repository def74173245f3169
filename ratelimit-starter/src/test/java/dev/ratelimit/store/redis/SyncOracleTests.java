package dev.ratelimit.store.redis;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.fixture.Patience;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.CounterSequences;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.PermitCounter;
import dev.ratelimit.store.PermitId;
import dev.ratelimit.store.PlanSequences;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.Sequence;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.memory.MemoryStore;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterProperty;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Random histories in which permits are also counted without a decision, in windows of
 * now and before: the Lua returns the same whole results as its twin, and leaves the same
 * counts behind.
 */
class SyncOracleTests {

	private static final AtomicLong SUBJECTS = new AtomicLong();

	@Property(tries = 150, edgeCases = EdgeCasesMode.NONE)
	void theScriptAgreesWithItsTwin(@ForAll("forward") Sequence sequence, @ForAll long seed) {
		assertAgreement(sequence, seed);
	}

	@Property(tries = 150, edgeCases = EdgeCasesMode.NONE)
	void theScriptAgreesWithItsTwinWhereTheClockStepsBack(@ForAll("withStepsBack") Sequence sequence,
			@ForAll long seed) {
		assertAgreement(sequence, seed);
	}

	@Property(tries = 60, edgeCases = EdgeCasesMode.NONE)
	void theScriptAgreesWithItsTwinBeyondTwoToThePowerOf53(@ForAll("ofTrillions") Sequence sequence,
			@ForAll long seed) {
		assertAgreement(sequence, seed);
	}

	@Property(tries = 150, edgeCases = EdgeCasesMode.NONE)
	void theScriptAgreesWithItsTwinWithSeveralPlans(@ForAll("plans") Sequence sequence, @ForAll long seed) {
		assertAgreement(sequence, seed);
	}

	private static void assertAgreement(Sequence sequence, long seed) {
		Subject subject = new Subject("sync-" + SUBJECTS.incrementAndGet());
		MovableClock clock = new MovableClock();
		RateLimitStore redis = InjectedTime.store(SharedRedis.runner(), clock, SharedRedis.PREFIX);
		PermitCounter counter = InjectedTime.counter(SharedRedis.runner(), clock, SharedRedis.PREFIX);
		MovableClock twinClock = new MovableClock();
		MemoryStore twin = new MemoryStore(twinClock);
		assertThat(replay(sequence, seed, subject, clock, redis, counter))
			.isEqualTo(replay(sequence, seed, subject, twinClock, twin, twin.capabilities().counter().orElseThrow()));
	}

	private static List<Object> replay(Sequence sequence, long seed, Subject subject, MovableClock clock,
			RateLimitStore store, PermitCounter counter) {
		SplittableRandom random = new SplittableRandom(seed);
		Map<Limit, List<List<Long>>> ofPlans = new HashMap<>();
		List<Object> results = new ArrayList<>();
		for (Sequence.Step step : sequence.steps()) {
			clock.advanceMicros(step.advanceMicros());
			Limit limit = sequence.limit(step);
			List<List<Long>> receipts = ofPlans.computeIfAbsent(limit, (any) -> new ArrayList<>());
			AcquireRequest request = new AcquireRequest(limit, subject, step.cost(), new PermitId("p"));
			// Acquired first: an idle twin may be removed, with the steps of its clock.
			AcquireResult result = store.acquire(List.of(request), Patience.LONG).await().get(0);
			results.add(result);
			if (result instanceof AcquireResult.Admitted admitted) {
				receipts.add(admitted.receipts());
			}
			if (!receipts.isEmpty() && random.nextBoolean()) {
				AcquiredPermits taken = new AcquiredPermits(request, receipts.get(random.nextInt(receipts.size())));
				results.add(counter.count(List.of(taken), Patience.LONG).get(0));
			}
		}
		return results;
	}

	@Provide
	Arbitrary<Sequence> forward() {
		return algorithms().flatMap(CounterSequences::forward);
	}

	@Provide
	Arbitrary<Sequence> withStepsBack() {
		return algorithms().flatMap(CounterSequences::withStepsBack);
	}

	@Provide
	Arbitrary<Sequence> plans() {
		return PlanSequences.ofAnyWindows(false, Algorithm.FIXED_WINDOW, Algorithm.SLIDING_WINDOW_COUNTER);
	}

	@Provide
	Arbitrary<Sequence> ofTrillions() {
		return algorithms().flatMap(CounterSequences::ofTrillions);
	}

	private static Arbitrary<Algorithm> algorithms() {
		return Arbitraries.of(Algorithm.FIXED_WINDOW, Algorithm.SLIDING_WINDOW_COUNTER);
	}

	@AfterProperty
	void everyKeyExpires() {
		SharedRedis.checkAndRemoveKeys();
	}

}
