package dev.ratelimit.limiter.sync;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.limiter.instances.InstanceShare;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Mode;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.Fate;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.PermitId;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.memory.MemoryStore;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Permits that are released to a counter before, during and after their sync: the store
 * ends up with those that were kept, each counted once. One permit was acquired from the
 * store, so it begins with one.
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

	private final LocalQuota quota = new LocalQuota(Optional.of(new InstanceShare(1, OptionalInt.of(0))), 100);

	private final SyncSchedule schedule = new SyncSchedule(WAIT, () -> {
	});

	private final SyncedCounter counter = new SyncedLimit(this.limit, this.schedule, () -> this.quota).counter(SUBJECT);

	@BeforeEach
	void request() {
		InFlightSync inFlight = this.counter.startAcquire(1, now());
		this.counter.completeAcquire(inFlight, this.store.acquire(List.of(request(1)), WAIT).await().get(0), now());
	}

	private long now() {
		return this.clock.nanoTime();
	}

	private AcquireRequest request(long cost) {
		return new AcquireRequest(this.limit, SUBJECT, cost, new PermitId("p"));
	}

	private AcquiredPermits spend(long cost) {
		return new AcquiredPermits(request(cost),
				Objects.requireNonNull(this.counter.spend(cost, now())).windows().receipts());
	}

	/** A round as the synchronizer runs it, with everything that is due. */
	private void round() {
		this.schedule.takeAll().forEach((due) -> {
			InFlightSync inFlight = due.startReport(now());
			List<AcquiredPermits> released = due.takeReleases();
			reach(inFlight);
			if (!released.isEmpty()) {
				List<?> ignored = this.store.settle(Settlement.release(released), WAIT).await();
			}
		});
	}

	private void reach(InFlightSync inFlight) {
		if (!inFlight.reported().isEmpty()) {
			List<AcquiredPermits> permits = inFlight.reported().stream().map(this.counter::taken).toList();
			List<AcquireResult> results = this.store.capabilities().counter().orElseThrow().count(permits, WAIT);
			assertThat(this.counter.completeReport(inFlight, results, now())).isZero();
		}
	}

	/** The round begins, but its call has not reached the store. */
	private InFlightSync depart() {
		this.schedule.takeAll();
		return this.counter.startReport(now());
	}

	private long counted() {
		AcquireResult result = this.store.acquire(List.of(request(41)), WAIT).await().get(0);
		return 40 - ((AcquireResult.Refused) result).usage().get(0).remaining();
	}

	@Test
	void aPermitReleasedBeforeARoundNeverReachesTheStore() {
		AcquiredPermits taken = spend(2);
		assertThat(this.counter.takeBack(taken)).isZero();
		round();
		assertThat(counted()).isEqualTo(1);
	}

	@Test
	void aPermitReleasedInFlightIsTakenBackInTheNextRound() {
		AcquiredPermits taken = spend(2);
		InFlightSync inFlight = depart();
		assertThat(this.counter.takeBack(taken)).isZero();
		reach(inFlight);
		assertThat(counted()).isEqualTo(3);
		round();
		assertThat(counted()).isEqualTo(1);
	}

	@Test
	void theNextRoundReportsLessByTheReleasedPermits() {
		AcquiredPermits taken = spend(2);
		InFlightSync inFlight = depart();
		assertThat(this.counter.takeBack(taken)).isZero();
		reach(inFlight);
		spend(5);
		assertThat(this.counter.startReport(now()).permits()).isEqualTo(3);
		assertThat(this.counter.takeReleases()).isEmpty();
	}

	@Test
	void nothingIsTakenBackWhileItsSyncIsInFlight() {
		AcquiredPermits taken = spend(2);
		InFlightSync inFlight = depart();
		assertThat(this.counter.takeBack(taken)).isZero();
		round();
		assertThat(counted()).isEqualTo(1);
		reach(inFlight);
		assertThat(this.counter.takeReleases()).containsExactly(this.counter.taken(inFlight.reported().get(0)));
	}

	@Test
	void aReleasedPermitIsNotSyncedAgainAfterAFailedSync() {
		AcquiredPermits taken = spend(2);
		spend(3);
		InFlightSync inFlight = depart();
		assertThat(this.counter.takeBack(taken)).isZero();
		assertThat(this.counter.completeReport(inFlight, List.of(NOT_TAKEN), now())).isZero();
		assertThat(this.counter.unsynced()).isEqualTo(3);
		round();
		assertThat(counted()).isEqualTo(4);
	}

	@Test
	void permitsThatWaitForAnotherSyncCanBeReleasedToo() {
		AcquiredPermits taken = spend(2);
		spend(3);
		assertThat(this.counter.completeReport(depart(), List.of(NOT_TAKEN), now())).isZero();
		assertThat(this.counter.takeBack(taken)).isZero();
		round();
		assertThat(counted()).isEqualTo(4);
	}

	@Test
	void afterASyncOfUnknownFateNothingIsTakenBackAndLessIsLost() {
		AcquiredPermits taken = spend(2);
		spend(3);
		InFlightSync inFlight = depart();
		assertThat(this.counter.takeBack(taken)).isZero();
		assertThat(this.counter.completeReport(inFlight, List.of(UNKNOWN), now())).isEqualTo(3);
		round();
		assertThat(counted()).isEqualTo(1);
	}

	@Test
	void syncedPermitsRemainToBeReleasedAtTheStore() {
		AcquiredPermits taken = spend(2);
		round();
		assertThat(this.counter.takeBack(taken)).isEqualTo(2);
	}

	@Test
	void permitsAreTakenBackWhereverTheyAre() {
		spend(3);
		round();
		AcquiredPermits early = spend(1);
		InFlightSync inFlight = depart();
		AcquiredPermits late = spend(2);
		assertThat(this.counter.takeBack(early)).isZero();
		assertThat(this.counter.takeBack(late)).isZero();
		assertThat(this.counter.takeBack(new AcquiredPermits(request(3), late.receipts()))).isEqualTo(3);
		reach(inFlight);
		round();
		assertThat(counted()).isEqualTo(4);
	}

	@Test
	void noMoreIsTakenBackThanIsInFlight() {
		AcquiredPermits taken = spend(2);
		InFlightSync inFlight = depart();
		assertThat(this.counter.takeBack(taken)).isZero();
		assertThat(this.counter.takeBack(taken)).isEqualTo(2);
		assertThat(inFlight.permits()).isEqualTo(2);
	}

	@Test
	void nothingIsTakenBackFromAFixedWindowThatHasPassed() {
		AcquiredPermits taken = spend(2);
		InFlightSync inFlight = depart();
		assertThat(this.counter.takeBack(taken)).isZero();
		reach(inFlight);
		this.clock.advance(Duration.ofSeconds(11));
		assertThat(this.counter.startReport(now()).reported()).isEmpty();
		assertThat(this.counter.takeReleases()).isEmpty();
	}

}
