package dev.ratelimit.limiter.sync;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.limiter.instances.InstanceShare;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Mode;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Fate;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.PermitId;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.memory.MemoryStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What a counter may admit alone when calls overtake each other or do not arrive. It is
 * the only instance, may hold back 20 of a limit of 40, and acquires and reports when the
 * test makes it.
 */
class SyncedCounterTests {

	private static final Duration WAIT = Duration.ofSeconds(1);

	private static final Subject SUBJECT = new Subject("s");

	private final Limit limit = Limit.of(RLConfig.builder("r")
		.algorithm(Algorithm.FIXED_WINDOW)
		.mode(new Mode.Synced(Duration.ofSeconds(1), 100))
		.thresholds("40/10s")
		.build());

	private final MovableClock clock = new MovableClock();

	private final MemoryStore store = new MemoryStore(this.clock);

	private final LocalQuota quota = new LocalQuota(Optional.of(new InstanceShare(1, OptionalInt.of(0))), 100);

	private final SyncedCounter counter = new SyncedLimit(this.limit, new SyncSchedule(WAIT, () -> {
	}), () -> this.quota).counter(SUBJECT);

	private InFlightSync request() {
		return this.counter.startAcquire(1, this.clock.nanoTime());
	}

	/** The store decides; its reply has not arrived yet. */
	private AcquireResult reach() {
		return this.store.acquire(List.of(new AcquireRequest(this.limit, SUBJECT, 1, new PermitId("p"))), WAIT)
			.await()
			.get(0);
	}

	private void report() {
		InFlightSync inFlight = this.counter.startReport(this.clock.nanoTime());
		List<AcquireResult> results = this.store.capabilities()
			.counter()
			.orElseThrow()
			.count(inFlight.reported().stream().map(this.counter::taken).toList(), WAIT);
		assertThat(this.counter.completeReport(inFlight, results, this.clock.nanoTime())).isZero();
	}

	/** How many are admitted without the store. */
	private int spendAll() {
		int spent = 0;
		while (this.counter.decide(1, this.clock.nanoTime()) != null) {
			spent++;
		}
		return spent;
	}

	@Test
	@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
	void anErrorInTheMiddleOfAReplacementSendsRequestsToTheStore() {
		AtomicBoolean fails = new AtomicBoolean();
		SyncedCounter failing = new SyncedLimit(this.limit, new SyncSchedule(WAIT, () -> {
		}), () -> {
			if (fails.getAndSet(false)) {
				throw new StackOverflowError();
			}
			return this.quota;
		}).counter(SUBJECT);
		long now = this.clock.nanoTime();
		failing.completeAcquire(failing.startAcquire(1, now), reach(), now);
		assertThat(failing.decide(1, now)).isNotNull();
		fails.set(true);
		assertThatExceptionOfType(StackOverflowError.class)
			.isThrownBy(() -> failing.completeAcquire(failing.startAcquire(1, now), reach(), now));
		assertThat(failing.decide(1, now)).isNull();
		failing.completeAcquire(failing.startAcquire(1, now), reach(), now);
		assertThat(failing.decide(1, now)).isNotNull();
	}

	@Test
	void hugeCostsUnderWayGrantNothing() {
		for (int i = 0; i < 3; i++) {
			this.counter.startAcquire(1L << 62, this.clock.nanoTime());
		}
		this.counter.completeAcquire(request(), reach(), this.clock.nanoTime());
		assertThat(this.counter.decide(1, this.clock.nanoTime())).isNull();
	}

	@Test
	void anOvertakenReplyDoesNotGrantTheSamePermitsTwice() {
		InFlightSync late = request();
		AcquireResult lateReply = reach();
		InFlightSync early = request();
		this.counter.completeAcquire(early, reach(), this.clock.nanoTime());
		int admitted = 2;
		for (int round = 0; round < 3; round++) {
			admitted += spendAll();
			report();
		}
		assertThat(admitted).isBetween(37, 40);
		this.counter.completeAcquire(late, lateReply, this.clock.nanoTime());
		assertThat(admitted + spendAll()).isLessThanOrEqualTo(40);
	}

	@Test
	void permitsOfAFailedSyncAreHeldBackFromTheNextGrant() {
		this.counter.completeAcquire(request(), reach(), this.clock.nanoTime());
		assertThat(spendAll()).isEqualTo(20);
		InFlightSync inFlight = this.counter.startReport(this.clock.nanoTime());
		AcquireResult unreachable = new AcquireResult.Failed(StoreFailure.UNREACHABLE, Fate.NOT_TAKEN);
		assertThat(this.counter.completeReport(inFlight, List.of(unreachable), this.clock.nanoTime())).isZero();
		this.counter.completeAcquire(request(), reach(), this.clock.nanoTime());
		assertThat(spendAll()).isZero();
		report();
		assertThat(spendAll()).isEqualTo(18);
	}

	@Test
	void permitsInFlightAreHeldBackFromTheNextGrant() {
		this.counter.completeAcquire(request(), reach(), this.clock.nanoTime());
		assertThat(spendAll()).isEqualTo(20);
		assertThat(this.counter.startReport(this.clock.nanoTime()).reported()).hasSize(1);
		this.counter.completeAcquire(request(), reach(), this.clock.nanoTime());
		assertThat(spendAll()).isZero();
	}

}
