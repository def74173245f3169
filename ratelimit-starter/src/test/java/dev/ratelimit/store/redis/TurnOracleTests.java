package dev.ratelimit.store.redis;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.TurnSequence;
import dev.ratelimit.store.TurnSequence.Grant;
import dev.ratelimit.store.memory.MemoryStore;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterProperty;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Random histories of requests that wait for a turn and others that do not: the Lua
 * returns the same results as its twin on the heap, and the grants fit the limit.
 */
class TurnOracleTests {

	private static final AtomicInteger SUBJECTS = new AtomicInteger();

	@Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
	void theScriptAgreesWithItsTwin(@ForAll("forward") TurnSequence sequence) {
		assertAgreement(sequence);
	}

	@Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
	void theScriptAgreesWithItsTwinWhereTheClockStepsBack(@ForAll("withStepsBack") TurnSequence sequence) {
		assertAgreement(sequence);
	}

	@Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
	void theScriptOfTheLeakyBucketAgreesWithItsTwin(@ForAll("buckets") TurnSequence sequence) {
		assertAgreement(sequence);
	}

	@Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
	void theScriptOfTheLeakyBucketAgreesWithItsTwinWhereTheClockStepsBack(
			@ForAll("bucketsWithStepsBack") TurnSequence sequence) {
		assertAgreement(sequence);
	}

	@Property(tries = 150, edgeCases = EdgeCasesMode.NONE)
	void turnsOfALeakyBucketKeepItsPaceAndTheirOrder(@ForAll("buckets") TurnSequence sequence) {
		MovableClock clock = new MovableClock();
		List<Grant> turns = sequence.grants(store(clock), clock, subject(), TurnSequence.TURNS_ONLY);
		Limit limit = sequence.limit();
		for (int i = 0; i < limit.size(); i++) {
			for (int next = 1; next < turns.size(); next++) {
				// Turns are rounded up to a microsecond, and the next one does not wait
				// for the rounded part again.
				double pace = (double) limit.windowMicros(i) / limit.count(i) * turns.get(next - 1).cost();
				assertThat(turns.get(next).atMicros() - turns.get(next - 1).atMicros())
					.isGreaterThan((long) Math.ceil(pace) - 2);
			}
		}
	}

	@Property(tries = 150, edgeCases = EdgeCasesMode.NONE)
	void aLeakyBucketThatDelaysAdmitsNoMoreThanOneThatMeters(@ForAll("buckets") TurnSequence sequence) {
		MovableClock clock = new MovableClock();
		List<Grant> grants = sequence.grants(store(clock), clock, subject(), TurnSequence.ALL_KINDS);
		Limit limit = sequence.limit();
		for (int i = 0; i < limit.size(); i++) {
			for (Grant first : grants) {
				for (Grant last : grants) {
					long micros = Math.max(0, last.atMicros() - first.atMicros());
					long admitted = grants.stream()
						.filter((grant) -> grant.atMicros() >= first.atMicros() && grant.atMicros() <= last.atMicros())
						.mapToLong(Grant::cost)
						.sum();
					// Both turns may have been rounded up to a microsecond.
					double most = limit.capacity(i) + (double) (micros + 2) * limit.count(i) / limit.windowMicros(i);
					assertThat((double) admitted).isLessThanOrEqualTo(most);
				}
			}
		}
	}

	private static void assertAgreement(TurnSequence sequence) {
		Subject subject = subject();
		MovableClock clock = new MovableClock();
		MovableClock twinClock = new MovableClock();
		assertThat(sequence.replay(store(clock), clock, subject))
			.isEqualTo(sequence.replay(new MemoryStore(twinClock), twinClock, subject));
	}

	@Property(tries = 150, edgeCases = EdgeCasesMode.NONE)
	void noWindowEverHoldsMoreThanItsThreshold(@ForAll("forward") TurnSequence sequence) {
		MovableClock clock = new MovableClock();
		List<Grant> grants = sequence.grants(store(clock), clock, subject(), TurnSequence.ALL_KINDS);
		Limit limit = sequence.limit();
		for (int i = 0; i < limit.size(); i++) {
			for (Grant last : grants) {
				long start = last.atMicros() - limit.windowMicros(i);
				assertThat(grants.stream()
					.filter((grant) -> grant.atMicros() > start && grant.atMicros() <= last.atMicros())
					.mapToLong(Grant::cost)
					.sum()).isLessThanOrEqualTo(limit.count(i));
			}
		}
	}

	@Property(tries = 150, edgeCases = EdgeCasesMode.NONE)
	void theFirstRequestHasTheFirstTurn(@ForAll("forward") TurnSequence sequence) {
		MovableClock clock = new MovableClock();
		assertThat(sequence.grants(store(clock), clock, subject(), TurnSequence.ALL_KINDS)).filteredOn(Grant::turn)
			.isSortedAccordingTo(Comparator.comparingLong(Grant::atMicros));
	}

	@Provide
	Arbitrary<TurnSequence> buckets() {
		return TurnSequence.ofBuckets();
	}

	@Provide
	Arbitrary<TurnSequence> bucketsWithStepsBack() {
		return TurnSequence.ofBucketsWithStepsBack();
	}

	@Provide
	Arbitrary<TurnSequence> withStepsBack() {
		return TurnSequence.withStepsBack();
	}

	@Provide
	Arbitrary<TurnSequence> forward() {
		return TurnSequence.forward();
	}

	@AfterProperty
	void everyKeyExpires() {
		SharedRedis.checkAndRemoveKeysWithTurns();
	}

	private static RedisStore store(MovableClock clock) {
		return InjectedTime.store(SharedRedis.runner(), clock, SharedRedis.PREFIX, Map.of());
	}

	private static Subject subject() {
		return new Subject("turns-" + SUBJECTS.incrementAndGet());
	}

}
