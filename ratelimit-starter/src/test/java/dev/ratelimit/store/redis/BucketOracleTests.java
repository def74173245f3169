package dev.ratelimit.store.redis;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Refill;
import dev.ratelimit.store.BucketSequences;
import dev.ratelimit.store.Sequence;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.PermitId;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.memory.MemoryStore;
import dev.ratelimit.support.PropertyRuns;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.AfterProperty;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Random histories of buckets: at the same times the Lua returns the same whole results
 * as its twin on the heap, receipts included.
 */
class BucketOracleTests {

	private static final AtomicInteger SUBJECTS = new AtomicInteger();

	/** By algorithm and refill: the intervals are an algorithm of their own. */
	private static final Map<String, Integer> STEPS = new ConcurrentHashMap<>();

	@Property(tries = 1300, edgeCases = EdgeCasesMode.NONE)
	void theScriptAgreesWithItsTwin(@ForAll("forward") Sequence sequence) {
		assertAgreement(sequence, InjectedTime.script(StoredFormat.of(sequence.limit())));
	}

	@Property(tries = 1300, edgeCases = EdgeCasesMode.NONE)
	void theScriptAgreesWithItsTwinWhereTheClockStepsBack(@ForAll("withStepsBack") Sequence sequence) {
		assertAgreement(sequence, InjectedTime.script(StoredFormat.of(sequence.limit())));
	}

	@Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
	void theScriptAgreesWithItsTwinWhereProductsExceedALuaNumber(@ForAll("large") Sequence sequence) {
		assertAgreement(sequence, InjectedTime.script(StoredFormat.of(sequence.limit())));
	}

	@Provide
	Arbitrary<Sequence> forward() {
		return Arbitraries.oneOf(BucketSequences.forward(Algorithm.TOKEN_BUCKET, Refill.CONTINUOUS),
				BucketSequences.forward(Algorithm.TOKEN_BUCKET, Refill.INTERVAL),
				BucketSequences.forward(Algorithm.LEAKY_BUCKET, Refill.CONTINUOUS));
	}

	@Provide
	Arbitrary<Sequence> withStepsBack() {
		return Arbitraries.oneOf(BucketSequences.withStepsBack(Algorithm.TOKEN_BUCKET, Refill.CONTINUOUS),
				BucketSequences.withStepsBack(Algorithm.TOKEN_BUCKET, Refill.INTERVAL),
				BucketSequences.withStepsBack(Algorithm.LEAKY_BUCKET, Refill.CONTINUOUS));
	}

	@Provide
	Arbitrary<Sequence> large() {
		return Arbitraries.oneOf(BucketSequences.large(Algorithm.TOKEN_BUCKET),
				BucketSequences.large(Algorithm.LEAKY_BUCKET));
	}

	@AfterProperty
	void everyKeyExpires() {
		SharedRedis.checkAndRemoveKeys();
	}

	@AfterContainer
	static void theHistoriesWereLong() {
		assertThat(STEPS).as("steps %s", STEPS)
			.hasSize(3)
			.allSatisfy((algorithm, steps) -> assertThat(steps).isGreaterThan(PropertyRuns.least(10_000)));
	}

	static void assertAgreement(Sequence sequence, String script) {
		assertAgreement(sequence, script, InjectedTime.releaseScript(StoredFormat.of(sequence.limit())));
	}

	static void assertAgreement(Sequence sequence, String script, String releaseScript) {
		STEPS.merge(sequence.limit().algorithm() + " " + sequence.limit().refill(), sequence.steps().size(),
				Integer::sum);
		Subject subject = new Subject("random-" + SUBJECTS.incrementAndGet());
		MovableClock clock = new MovableClock();
		MovableClock twinClock = new MovableClock();
		RedisStore store = InjectedTime.store(SharedRedis.runner(), clock, SharedRedis.PREFIX,
				Map.of(StoredFormat.of(sequence.limit()), script),
				Map.of(StoredFormat.of(sequence.limit()), releaseScript));
		assertThat(sequence.replay(store, clock, subject))
			.isEqualTo(sequence.replay(new MemoryStore(twinClock), twinClock, subject));
		String key = StoreRequests.key(new AcquireRequest(sequence.limit(), subject, 1, new PermitId("p")));
		assertThat(SharedRedis.inspection().pttl(key)).as("expiry").isNotEqualTo(-1);
	}

}
