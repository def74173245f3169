package dev.ratelimit.limiter.sync;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.limiter.outage.Share;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Mode;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquireResult.Fate;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.PermitId;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.memory.MemoryStore;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Permits that come back to a cell before, while and after the store hears of them: it
 * ends up with those that were kept, each counted once. One permit was asked for, so the
 * store begins with one.
 */
class TakeBackTests {

	private static final Duration WAIT = Duration.ofSeconds(1);

	private static final Subject SUBJECT = new Subject("s");

	private static final AcquireResult NOT_TAKEN = new AcquireResult.Failed(StoreFailure.UNREACHABLE, Fate.NOT_TAKEN);

	private static final AcquireResult UNKNOWN = new AcquireResult.Failed(StoreFailure.TIMEOUT, Fate.UNKNOWN);

	private final Limit limit = Limit.of(RLConfig.builder("r")
		.algorithm(Algorithm.FIXED_WINDOW)
		.mode(new Mode.Synced(WAIT, 100))
		.thresholds("40/10s")
		.build());

	private final MovableClock clock = new MovableClock();

	private final MemoryStore store = new MemoryStore(this.clock);

	private final Portion portion = new Portion(Optional.of(new Share(1, OptionalInt.of(0))), 100);

	private final Rhythm rhythm = new Rhythm(WAIT, () -> {
	});

	private final Cell cell = new SyncedLimit(this.limit, this.rhythm, () -> this.portion).cell(SUBJECT);

	@BeforeEach
	void request() {
		Flight flight = this.cell.acquire(1, now());
		this.cell.answered(flight, this.store.acquire(List.of(request(1)), WAIT).get(0), now());
	}

	private long now() {
		return this.clock.nanoTime();
	}

	private AcquireRequest request(long cost) {
		return new AcquireRequest(this.limit, SUBJECT, cost, new PermitId("p"));
	}

	private AcquiredPermits spend(long cost) {
		return new AcquiredPermits(request(cost), this.cell.spend(cost, now()).orElseThrow().windows().receipts());
	}

	/** A round as the synchronizer runs it, with everything that is due. */
	private void round() {
		this.rhythm.all().forEach((due) -> {
			Flight flight = due.tell(now());
			List<AcquiredPermits> back = due.leaveBack();
			reach(flight);
			if (!back.isEmpty()) {
				List<?> ignored = this.store.release(back, WAIT);
			}
		});
	}

	private void reach(Flight flight) {
		if (!flight.told().isEmpty()) {
			List<AcquiredPermits> permits = flight.told().stream().map(this.cell::taken).toList();
			List<AcquireResult> results = this.store.counter().orElseThrow().count(permits, WAIT);
			assertThat(this.cell.told(flight, results, now())).isZero();
		}
	}

	/** The round begins, but its call has not reached the store. */
	private Flight depart() {
		this.rhythm.all();
		return this.cell.tell(now());
	}

	private long counted() {
		AcquireResult result = this.store.acquire(List.of(request(41)), WAIT).get(0);
		return 40 - ((AcquireResult.Refused) result).usage().get(0).remaining();
	}

	@Test
	void theStoreNeverHearsOfAPermitThatComesBackBeforeARound() {
		AcquiredPermits taken = spend(2);
		assertThat(this.cell.takeBack(taken)).isZero();
		round();
		assertThat(counted()).isEqualTo(1);
	}

	@Test
	void aPermitThatComesBackOnItsWayIsTakenBackInTheNextRound() {
		AcquiredPermits taken = spend(2);
		Flight flight = depart();
		assertThat(this.cell.takeBack(taken)).isZero();
		reach(flight);
		assertThat(counted()).isEqualTo(3);
		round();
		assertThat(counted()).isEqualTo(1);
	}

	@Test
	void whatTheNextRoundTellsIsLessByWhatCameBack() {
		AcquiredPermits taken = spend(2);
		Flight flight = depart();
		assertThat(this.cell.takeBack(taken)).isZero();
		reach(flight);
		spend(5);
		assertThat(this.cell.tell(now()).permits()).isEqualTo(3);
		assertThat(this.cell.leaveBack()).isEmpty();
	}

	@Test
	void nothingIsTakenBackFromAStoreThatMayNotKnowItYet() {
		AcquiredPermits taken = spend(2);
		Flight flight = depart();
		assertThat(this.cell.takeBack(taken)).isZero();
		round();
		assertThat(counted()).isEqualTo(1);
		reach(flight);
		assertThat(this.cell.leaveBack()).containsExactly(this.cell.taken(flight.told().get(0)));
	}

	@Test
	void aPermitThatCameBackIsNotToldAgainWhereItsCallDidNotArrive() {
		AcquiredPermits taken = spend(2);
		spend(3);
		Flight flight = depart();
		assertThat(this.cell.takeBack(taken)).isZero();
		assertThat(this.cell.told(flight, List.of(NOT_TAKEN), now())).isZero();
		assertThat(this.cell.unsynced()).isEqualTo(3);
		round();
		assertThat(counted()).isEqualTo(4);
	}

	@Test
	void whatWaitsToBeToldAgainCanComeBackToo() {
		AcquiredPermits taken = spend(2);
		spend(3);
		assertThat(this.cell.told(depart(), List.of(NOT_TAKEN), now())).isZero();
		assertThat(this.cell.takeBack(taken)).isZero();
		round();
		assertThat(counted()).isEqualTo(4);
	}

	@Test
	void whereNobodyKnowsWhetherItWasCountedNothingIsTakenBackAndLessIsLost() {
		AcquiredPermits taken = spend(2);
		spend(3);
		Flight flight = depart();
		assertThat(this.cell.takeBack(taken)).isZero();
		assertThat(this.cell.told(flight, List.of(UNKNOWN), now())).isEqualTo(3);
		round();
		assertThat(counted()).isEqualTo(1);
	}

	@Test
	void whatTheStoreKnowsItTakesBackItself() {
		AcquiredPermits taken = spend(2);
		round();
		assertThat(this.cell.takeBack(taken)).isEqualTo(2);
	}

	@Test
	void permitsComeBackToWhereverTheyAre() {
		spend(3);
		round();
		AcquiredPermits early = spend(1);
		Flight flight = depart();
		AcquiredPermits late = spend(2);
		assertThat(this.cell.takeBack(early)).isZero();
		assertThat(this.cell.takeBack(late)).isZero();
		assertThat(this.cell.takeBack(new AcquiredPermits(request(3), late.receipts()))).isEqualTo(3);
		reach(flight);
		round();
		assertThat(counted()).isEqualTo(4);
	}

	@Test
	void noMoreComesBackThanIsOnItsWay() {
		AcquiredPermits taken = spend(2);
		Flight flight = depart();
		assertThat(this.cell.takeBack(taken)).isZero();
		assertThat(this.cell.takeBack(taken)).isEqualTo(2);
		assertThat(flight.permits()).isEqualTo(2);
	}

	@Test
	void nothingIsTakenBackFromAFixedWindowThatHasPassed() {
		AcquiredPermits taken = spend(2);
		Flight flight = depart();
		assertThat(this.cell.takeBack(taken)).isZero();
		reach(flight);
		this.clock.advance(Duration.ofSeconds(11));
		assertThat(this.cell.tell(now()).told()).isEmpty();
		assertThat(this.cell.leaveBack()).isEmpty();
	}

}
