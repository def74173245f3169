package dev.ratelimit.limiter.sync;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Mode;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.store.Answer;
import dev.ratelimit.store.Answer.Fate;
import dev.ratelimit.store.GiveBack;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.PermitId;
import dev.ratelimit.store.Question;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.Usage;
import dev.ratelimit.store.memory.MemoryStore;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * When a synced rule asks the store, when it tells it, and what it answers by itself. The
 * clock stands still, ten seconds before the end of windows of ten seconds and more,
 * unless a test moves it.
 */
class SyncedStoreTests {

	private static final Subject SUBJECT = new Subject("s");

	private static final Answer.Failed UNREACHABLE = new Answer.Failed(StoreFailure.UNREACHABLE, Fate.NOT_TAKEN);

	private final MovableClock clock = new MovableClock();

	private final MemoryStore memory = new MemoryStore(this.clock);

	private final ToldStore store = new ToldStore(this.memory);

	private final SyncedInstance one = instance(3);

	private final SyncedInstance two = instance(3);

	private final SyncedInstance three = instance(3);

	private SyncedInstance instance(int instances) {
		return new SyncedInstance(this.store, this.clock, SyncedInstance.oneOf(instances));
	}

	private static Limit limit(Algorithm algorithm, String... thresholds) {
		return Limit.of(RLConfig.builder("r").algorithm(algorithm).mode(Mode.SYNCED).thresholds(thresholds).build());
	}

	private static Limit fixed(String... thresholds) {
		return limit(Algorithm.FIXED_WINDOW, thresholds);
	}

	/** What the store has counted in the shortest window. */
	private long counted(Limit limit) {
		Answer answer = this.memory
			.ask(List.of(new Question(limit, SUBJECT, limit.count(0) + 1, new PermitId("look"))), Duration.ofSeconds(1))
			.get(0);
		return limit.count(0) - ((Answer.Refused) answer).usage().get(0).remaining();
	}

	private static List<Usage> usage(Answer answer) {
		return (answer instanceof Answer.Admitted admitted) ? admitted.usage() : ((Answer.Refused) answer).usage();
	}

	@ParameterizedTest
	@EnumSource(names = { "FIXED_WINDOW", "SLIDING_WINDOW_COUNTER" })
	@DisplayName("0.24: the first call asks the store; a hundred more within the interval tell it once")
	void theFirstHitAsksAndAnIntervalTellsOnce(Algorithm algorithm) {
		Limit limit = limit(algorithm, "100000/10s");
		assertThat(this.one.admitted(limit, SUBJECT, 1)).isOne();
		assertThat(this.store.asked()).isOne();
		assertThat(this.one.admitted(limit, SUBJECT, 100)).isEqualTo(100);
		assertThat(this.store.asked()).isZero();
		assertThat(counted(limit)).isOne();
		this.one.round();
		this.one.round();
		assertThat(this.store.told()).isOne();
		assertThat(counted(limit)).isEqualTo(101);
	}

	@Test
	void anInstanceSeesWhatOthersAdmittedAfterItsNextRound() {
		Limit limit = fixed("1000/10s");
		this.one.admitted(limit, SUBJECT, 20);
		this.two.admitted(limit, SUBJECT, 20);
		this.one.round();
		this.two.round();
		assertThat(usage(this.two.ask(limit, SUBJECT, 1)).get(0).remaining()).isEqualTo(959);
		assertThat(this.store.told()).isEqualTo(2);
	}

	@ParameterizedTest
	@EnumSource(names = { "FIXED_WINDOW", "SLIDING_WINDOW_COUNTER" })
	@DisplayName("0.15: what was admitted above the limit is what the others held back, as the formula says")
	void whatTheFormulaAllowsCanHappen(Algorithm algorithm) {
		Limit limit = limit(algorithm, "100/10s");
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
		assertThat(counted(limit)).isEqualTo(100);
	}

	@Test
	void nearTheLimitAnInstanceAsksAndAfterIt() {
		Limit limit = fixed("100/10s");
		assertThat(instance(1).admitted(limit, SUBJECT, 300)).isBetween(100L, 110L);
		assertThat(this.one.admitted(limit, SUBJECT, 1)).isZero();
	}

	@Test
	void aRefusalIsRepeatedFromMemoryForAnInterval() {
		Limit limit = fixed("3/10s");
		this.one.admitted(limit, SUBJECT, 4);
		this.store.asked();
		this.clock.advance(Duration.ofMillis(400));
		assertThat(this.one.ask(limit, SUBJECT, 1)).isInstanceOf(Answer.Refused.class);
		assertThat(usage(this.one.ask(limit, SUBJECT, 2)).get(0)).isEqualTo(new Usage(0, 9_600_000, 9_600_000));
		assertThat(this.store.asked()).isZero();
		this.clock.advance(Duration.ofMillis(600));
		assertThat(this.one.ask(limit, SUBJECT, 1)).isInstanceOf(Answer.Refused.class);
		assertThat(this.store.asked()).isOne();
	}

	@Test
	void aRefusedCostDoesNotRefuseASmallerOne() {
		Limit limit = fixed("3/10s");
		assertThat(this.one.ask(limit, SUBJECT, 2)).isInstanceOf(Answer.Admitted.class);
		assertThat(this.one.ask(limit, SUBJECT, 2)).isInstanceOf(Answer.Refused.class);
		assertThat(this.one.ask(limit, SUBJECT, 1)).isInstanceOf(Answer.Admitted.class);
	}

	@Test
	void aFixedWindowBeginsWithoutACall() {
		Limit limit = fixed("1000/10s");
		this.one.admitted(limit, SUBJECT, 30);
		this.store.asked();
		this.clock.advance(Duration.ofSeconds(11));
		Answer answer = this.one.ask(limit, SUBJECT, 1);
		assertThat(this.store.asked()).isZero();
		assertThat(usage(answer).get(0).remaining()).isEqualTo(999);
		this.one.admitted(limit, SUBJECT, 9);
		this.one.round();
		assertThat(this.store.told()).as("what was spent before has passed").isOne();
		assertThat(counted(limit)).isEqualTo(10);
	}

	@Test
	void wherePassedAndCurrentWindowCannotBeToldApartTheStoreIsAsked() {
		Limit limit = fixed("1000/10s");
		this.one.admitted(limit, SUBJECT, 1);
		this.clock.advance(Duration.ofSeconds(10).minusMillis(1));
		this.store.asked();
		this.one.admitted(limit, SUBJECT, 1);
		assertThat(this.store.asked()).isOne();
	}

	@Test
	void whatASlidingWindowSpentBeforeItsEndIsToldToThatWindow() {
		Limit limit = limit(Algorithm.SLIDING_WINDOW_COUNTER, "1000/10s");
		this.one.admitted(limit, SUBJECT, 41);
		this.clock.advance(Duration.ofSeconds(11));
		assertThat(this.one.admitted(limit, SUBJECT, 4)).isEqualTo(4);
		this.one.round();
		assertThat(this.store.told()).isEqualTo(2);
		assertThat(counted(limit)).isEqualTo(41 * 9 / 10 + 4);
	}

	@Test
	@DisplayName("0.14: several thresholds must all have room, and a short window that ends keeps the long one")
	void severalThresholdsMustAllHaveRoom() {
		Limit limit = fixed("400/1s", "600/10s");
		SyncedInstance alone = instance(1);
		assertThat(alone.admitted(limit, SUBJECT, 1000)).isBetween(400L, 440L);
		this.clock.advance(Duration.ofMillis(1100));
		assertThat(alone.admitted(limit, SUBJECT, 1000)).isBetween(160L, 260L);
		alone.round();
		assertThat(alone.admitted(limit, SUBJECT, 10)).isZero();
	}

	@Test
	void aCostIsSpentAtOnceOrAskedFor() {
		Limit limit = fixed("1000/10s");
		this.one.ask(limit, SUBJECT, 1);
		this.one.ask(limit, SUBJECT, 7);
		this.store.asked();
		this.one.ask(limit, SUBJECT, 600);
		assertThat(this.store.asked()).isOne();
		this.one.round();
		assertThat(counted(limit)).isEqualTo(608);
	}

	@Test
	void whatIsGivenBackIsTakenOffWhatTheStoreDoesNotKnowYet() {
		Limit limit = fixed("1000/10s");
		this.one.admitted(limit, SUBJECT, 10);
		Answer answer = this.one.ask(limit, SUBJECT, 1);
		assertThat(this.one.giveBack(limit, SUBJECT, answer)).isEqualTo(GiveBack.ACKNOWLEDGED);
		this.one.round();
		assertThat(counted(limit)).isEqualTo(10);
		assertThat(this.one.giveBack(limit, SUBJECT, answer)).isEqualTo(GiveBack.ACKNOWLEDGED);
		assertThat(counted(limit)).as("the store knew it by then").isEqualTo(9);
	}

	@Test
	void whoDoesNotKnowHowManyInstancesThereAreAsksForEveryPermit() {
		Limit limit = fixed("1000/10s");
		SyncedInstance newcomer = new SyncedInstance(this.store, this.clock, Optional.empty());
		newcomer.admitted(limit, SUBJECT, 50);
		assertThat(this.store.asked()).isEqualTo(50);
		assertThat(counted(limit)).isEqualTo(50);
	}

	@Test
	@DisplayName("performance 15: at 5 decisions a second and key an interval of 100 ms costs 0.2 calls a decision")
	void aKeyOfLittleUseIsToldLessOften() {
		Limit limit = fixed("100000/400d");
		this.one.admitted(limit, SUBJECT, 1);
		this.store.asked();
		for (int i = 0; i < 100; i++) {
			this.one.admitted(limit, SUBJECT, 1);
			this.one.round();
			this.one.round();
		}
		assertThat(this.store.asked()).isZero();
		assertThat(this.store.told()).isBetween(10, 20);
	}

	@Test
	void muchOfWhatMayBeSpentIsToldBeforeTheInterval() {
		Limit limit = fixed("1000/10s");
		this.one.admitted(limit, SUBJECT, 41);
		this.one.hurry();
		assertThat(this.store.told()).isOne();
		assertThat(counted(limit)).isEqualTo(41);
	}

	@Test
	void whileTheStoreIsAwayCountingGoesOnAndIsToldLater() {
		Limit limit = fixed("1000/10s");
		this.one.admitted(limit, SUBJECT, 1);
		this.store.fail(UNREACHABLE);
		assertThat(this.one.admitted(limit, SUBJECT, 30)).isEqualTo(30);
		this.one.round();
		assertThat(this.one.admitted(limit, SUBJECT, 10)).isEqualTo(10);
		this.one.round();
		assertThat(this.one.lost()).isEmpty();
		this.store.recover();
		this.one.round();
		assertThat(counted(limit)).isEqualTo(41);
	}

	@Test
	void whoMayNotGoOnAloneLeavesTheAnswerToThePolicy() {
		Limit limit = fixed("1000/10s");
		this.one.admitted(limit, SUBJECT, 1);
		this.store.fail(UNREACHABLE);
		this.one.admitted(limit, SUBJECT, 50);
		assertThat(this.one.ask(limit, SUBJECT, 1)).isEqualTo(UNREACHABLE);
		this.one.round();
		this.clock.advance(Duration.ofSeconds(11));
		assertThat(this.one.ask(limit, SUBJECT, 1)).as("no new window without the store").isEqualTo(UNREACHABLE);
		this.store.recover();
		assertThat(this.one.ask(limit, SUBJECT, 1)).isInstanceOf(Answer.Admitted.class);
	}

	@Test
	void whatMayBeLostIsTold() {
		Limit limit = fixed("1000/10s");
		this.one.admitted(limit, SUBJECT, 11);
		this.store.fail(new Answer.Failed(StoreFailure.TIMEOUT, Fate.UNKNOWN));
		this.one.round();
		assertThat(this.one.lost()).containsExactly("r 10");
	}

	@Test
	@DisplayName("0.22: an evicted key is told to the store at once")
	void whatIsEvictedIsTold() {
		Limit limit = fixed("100000/10s");
		this.one.admitted(limit, SUBJECT, 11);
		for (int i = 0; i < 30_000; i++) {
			this.one.admitted(limit, new Subject("other" + i), 2);
		}
		int asked = this.store.asked();
		this.one.hurry();
		int evicted = this.store.told();
		assertThat(evicted).isBetween(9000, 10_100);
		assertThat(asked).isBetween(30_000, 40_000);
	}

	@Test
	void atTheEndEverythingIsTold() {
		Limit limit = fixed("1000/10s");
		this.one.admitted(limit, SUBJECT, 3);
		this.one.close();
		assertThat(counted(limit)).isEqualTo(3);
	}

	@Test
	void strictAndSyncedRulesOfOneRequestShareACall() {
		Limit synced = fixed("1000/10s");
		Limit strict = Limit.of(RLConfig.builder("strict").thresholds("5/10s").build());
		assertThat(this.one.askTogether(List.of(synced, strict), SUBJECT)).allMatch(Answer.Admitted.class::isInstance);
		assertThat(this.store.calls()).isOne();
		for (int i = 0; i < 4; i++) {
			this.one.askTogether(List.of(strict, synced), SUBJECT);
		}
		assertThat(this.one.askTogether(List.of(strict, synced, strict), SUBJECT))
			.extracting((answer) -> answer instanceof Answer.Admitted)
			.containsExactly(false, true, false);
		assertThat(counted(synced)).as("only the first was asked").isOne();
	}

	@Test
	void theLimitsOfOnePlanAndAnotherCountTogether() {
		Limit free = fixed("1000/10s");
		Limit paid = fixed("5000/10s");
		this.one.admitted(free, SUBJECT, 20);
		this.one.admitted(paid, SUBJECT, 20);
		this.one.round();
		assertThat(counted(paid)).isEqualTo(40);
	}

}
