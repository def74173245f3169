package dev.ratelimit.limiter.sync;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.limiter.source.Slot;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.SettlementResult;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.Usage;
import dev.ratelimit.store.memory.MemoryStore;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * When a synced rule calls the store, and what it decides by itself. The clock stands
 * still, ten seconds before the end of windows of ten seconds and more, unless a test
 * moves it.
 */
class SyncedRulesTests {

	private static final Subject SUBJECT = new Subject("s");

	private final MovableClock clock = new MovableClock();

	private final CountingStore store = new CountingStore(new MemoryStore(this.clock));

	private final SyncedInstance one = instance(3);

	private final SyncedInstance two = instance(3);

	private final SyncedInstance three = instance(3);

	private SyncedInstance instance(int instances) {
		return new SyncedInstance(this.store, this.clock, SyncedInstance.oneOf(instances));
	}

	private static List<Usage> usage(AcquireResult result) {
		return (result instanceof AcquireResult.Admitted admitted) ? admitted.usage()
				: ((AcquireResult.Refused) result).usage();
	}

	@ParameterizedTest
	@EnumSource(names = { "FIXED_WINDOW", "SLIDING_WINDOW_COUNTER" })
	@DisplayName("0.24: the first request calls the store; a hundred more within the interval are synced once")
	void theFirstRequestAcquiresAndAnIntervalSyncsOnce(Algorithm algorithm) {
		Limit limit = SyncedInstance.limit(algorithm, "100000/10s");
		assertThat(this.one.admitted(limit, SUBJECT, 1)).isOne();
		assertThat(this.store.acquired()).isOne();
		assertThat(this.one.admitted(limit, SUBJECT, 100)).isEqualTo(100);
		assertThat(this.store.acquired()).isZero();
		assertThat(this.store.counted(limit, SUBJECT)).isOne();
		this.one.round();
		this.one.round();
		assertThat(this.store.reported()).isOne();
		assertThat(this.store.counted(limit, SUBJECT)).isEqualTo(101);
	}

	@Test
	void anInstanceSeesWhatOthersAdmittedAfterItsNextRound() {
		Limit limit = SyncedInstance.fixed("1000/10s");
		this.one.admitted(limit, SUBJECT, 20);
		this.two.admitted(limit, SUBJECT, 20);
		this.one.round();
		this.two.round();
		assertThat(usage(this.two.acquire(limit, SUBJECT, 1)).get(0).remaining()).isEqualTo(959);
		assertThat(this.store.reported()).isEqualTo(2);
	}

	@ParameterizedTest
	@EnumSource(names = { "FIXED_WINDOW", "SLIDING_WINDOW_COUNTER" })
	@DisplayName("0.15: what was admitted above the limit is what the others held back, as the formula says")
	void theOvershootOfTheFormulaCanHappen(Algorithm algorithm) {
		Limit limit = SyncedInstance.limit(algorithm, "100/10s");
		// A fifth of the limit, divided by the three instances and one to come.
		long held = 100 / 5 / 4;
		this.two.admitted(limit, SUBJECT, 1);
		this.three.admitted(limit, SUBJECT, 1);
		long admitted = 2 + this.one.admitted(limit, SUBJECT, 200);
		this.one.round();
		admitted += this.two.admitted(limit, SUBJECT, 200) + this.three.admitted(limit, SUBJECT, 200);
		assertThat(admitted).isBetween(100L + 2 * held, 100L + 3 * held);
		this.two.round();
		this.three.round();
		assertThat(this.store.counted(limit, SUBJECT)).isEqualTo(100);
	}

	@Test
	void nearTheLimitAndAboveItTheStoreDecides() {
		Limit limit = SyncedInstance.fixed("100/10s");
		assertThat(instance(1).admitted(limit, SUBJECT, 300)).isBetween(100L, 110L);
		assertThat(this.one.admitted(limit, SUBJECT, 1)).isZero();
	}

	@Test
	void aRefusalIsRepeatedFromMemoryForAnInterval() {
		Limit limit = SyncedInstance.fixed("3/10s");
		this.one.admitted(limit, SUBJECT, 4);
		this.store.acquired();
		this.clock.advance(Duration.ofMillis(400));
		assertThat(this.one.acquire(limit, SUBJECT, 1)).isInstanceOf(AcquireResult.Refused.class);
		assertThat(usage(this.one.acquire(limit, SUBJECT, 2)).get(0)).isEqualTo(new Usage(0, 9_600_000, 9_600_000));
		assertThat(this.store.acquired()).isZero();
		this.clock.advance(Duration.ofMillis(600));
		assertThat(this.one.acquire(limit, SUBJECT, 1)).isInstanceOf(AcquireResult.Refused.class);
		assertThat(this.store.acquired()).isOne();
	}

	@ParameterizedTest
	@EnumSource(names = { "FIXED_WINDOW", "SLIDING_WINDOW_COUNTER" })
	void theWindowsOfAdmissionsAge(Algorithm algorithm) {
		Limit limit = SyncedInstance.limit(algorithm, "1000/10s");
		this.one.admitted(limit, SUBJECT, 1);
		long before = usage(this.one.acquire(limit, SUBJECT, 1)).get(0).resetMicros();
		assertThat(before).as("of windows that have just begun")
			.isEqualTo((algorithm == Algorithm.FIXED_WINDOW) ? 10_000_000 : 20_000_000);
		this.clock.advance(Duration.ofMillis(400));
		assertThat(usage(this.one.acquire(limit, SUBJECT, 1)).get(0).resetMicros()).isEqualTo(before - 400_000);
		assertThat(this.store.acquired()).as("only the first request needed it").isOne();
	}

	@Test
	void aRefusedCostDoesNotRefuseASmallerOne() {
		Limit limit = SyncedInstance.fixed("3/10s");
		assertThat(this.one.acquire(limit, SUBJECT, 2)).isInstanceOf(AcquireResult.Admitted.class);
		assertThat(this.one.acquire(limit, SUBJECT, 2)).isInstanceOf(AcquireResult.Refused.class);
		assertThat(this.one.acquire(limit, SUBJECT, 1)).isInstanceOf(AcquireResult.Admitted.class);
	}

	@Test
	void aFixedWindowBeginsWithoutACall() {
		Limit limit = SyncedInstance.fixed("1000/10s");
		this.one.admitted(limit, SUBJECT, 30);
		this.store.acquired();
		this.clock.advance(Duration.ofSeconds(11));
		AcquireResult result = this.one.acquire(limit, SUBJECT, 1);
		assertThat(this.store.acquired()).isZero();
		assertThat(usage(result).get(0).remaining()).isEqualTo(999);
		this.one.admitted(limit, SUBJECT, 9);
		this.one.round();
		assertThat(this.store.reported()).as("what was spent before has passed").isOne();
		assertThat(this.store.counted(limit, SUBJECT)).isEqualTo(10);
	}

	@Test
	void whereTheWindowMayHaveEndedTheStoreDecides() {
		Limit limit = SyncedInstance.fixed("1000/10s");
		this.one.admitted(limit, SUBJECT, 1);
		this.clock.advance(Duration.ofSeconds(10).minusMillis(1));
		this.store.acquired();
		this.one.admitted(limit, SUBJECT, 1);
		assertThat(this.store.acquired()).isOne();
	}

	@Test
	void permitsSpentBeforeTheEndOfAWindowAreSyncedToThatWindow() {
		Limit limit = SyncedInstance.limit(Algorithm.SLIDING_WINDOW_COUNTER, "1000/10s");
		this.one.admitted(limit, SUBJECT, 41);
		this.clock.advance(Duration.ofSeconds(11));
		assertThat(this.one.admitted(limit, SUBJECT, 4)).isEqualTo(4);
		this.one.round();
		assertThat(this.store.reported()).isEqualTo(2);
		assertThat(this.store.counted(limit, SUBJECT)).isEqualTo(41 * 9 / 10 + 4);
	}

	@Test
	@DisplayName("0.14: several thresholds must all have room, and a short window that ends keeps the long one")
	void severalThresholdsMustAllHaveRoom() {
		Limit limit = SyncedInstance.fixed("400/1s", "600/10s");
		SyncedInstance alone = instance(1);
		assertThat(alone.admitted(limit, SUBJECT, 1000)).isBetween(400L, 440L);
		this.clock.advance(Duration.ofMillis(1100));
		assertThat(alone.admitted(limit, SUBJECT, 1000)).isBetween(160L, 260L);
		alone.round();
		assertThat(alone.admitted(limit, SUBJECT, 10)).isZero();
	}

	@Test
	void aCostIsSpentAtOnceOrAcquiredFromTheStore() {
		Limit limit = SyncedInstance.fixed("1000/10s");
		this.one.acquire(limit, SUBJECT, 1);
		this.one.acquire(limit, SUBJECT, 7);
		this.store.acquired();
		this.one.acquire(limit, SUBJECT, 600);
		assertThat(this.store.acquired()).isOne();
		this.one.round();
		assertThat(this.store.counted(limit, SUBJECT)).isEqualTo(608);
	}

	@Test
	void releasedPermitsAreSubtractedFromTheUnsyncedOnes() {
		Limit limit = SyncedInstance.fixed("1000/10s");
		this.one.admitted(limit, SUBJECT, 10);
		Slot slot = this.one.acquireSlot(limit, SUBJECT, 1);
		assertThat(this.one.release(slot)).isEqualTo(SettlementResult.ACKNOWLEDGED);
		this.one.round();
		assertThat(this.store.counted(limit, SUBJECT)).isEqualTo(10);
		assertThat(this.one.release(slot)).isEqualTo(SettlementResult.ACKNOWLEDGED);
		assertThat(this.store.counted(limit, SUBJECT)).as("it was synced by then").isEqualTo(9);
	}

	@Test
	void whereTheNumberOfInstancesIsUnknownEveryPermitIsAcquired() {
		Limit limit = SyncedInstance.fixed("1000/10s");
		SyncedInstance newcomer = new SyncedInstance(this.store, this.clock, Optional.empty());
		newcomer.admitted(limit, SUBJECT, 50);
		assertThat(this.store.acquired()).isEqualTo(50);
		assertThat(this.store.counted(limit, SUBJECT)).isEqualTo(50);
	}

	@Test
	void strictAndSyncedRulesOfOneRequestShareACall() {
		Limit synced = SyncedInstance.fixed("1000/10s");
		Limit strict = Limit.of(RLConfig.builder("strict").thresholds("5/10s").build());
		assertThat(this.one.acquireTogether(List.of(synced, strict), SUBJECT))
			.allMatch(AcquireResult.Admitted.class::isInstance);
		assertThat(this.store.calls()).isOne();
		for (int i = 0; i < 4; i++) {
			this.one.acquireTogether(List.of(strict, synced), SUBJECT);
		}
		assertThat(this.one.acquireTogether(List.of(strict, synced, strict), SUBJECT))
			.extracting((result) -> result instanceof AcquireResult.Admitted)
			.containsExactly(false, true, false);
		assertThat(this.store.counted(synced, SUBJECT)).as("only the first called the store").isOne();
	}

	@Test
	void theLimitsOfOnePlanAndAnotherCountTogether() {
		Limit free = SyncedInstance.fixed("1000/10s");
		Limit paid = SyncedInstance.fixed("5000/10s");
		this.one.admitted(free, SUBJECT, 20);
		this.one.admitted(paid, SUBJECT, 20);
		this.one.round();
		assertThat(this.store.counted(paid, SUBJECT)).isEqualTo(40);
	}

}
