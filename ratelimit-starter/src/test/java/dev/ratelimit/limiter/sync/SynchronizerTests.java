package dev.ratelimit.limiter.sync;

import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

import dev.ratelimit.fixture.DelegatingStore;
import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.limiter.ClientInspector;
import dev.ratelimit.limiter.CompiledRule;
import dev.ratelimit.limiter.Fallback;
import dev.ratelimit.limiter.refusal.DenyCache;
import dev.ratelimit.limiter.source.PermitSources;
import dev.ratelimit.limiter.source.Slot;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Mode;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Fate;
import dev.ratelimit.store.Inspection;
import dev.ratelimit.store.Inspector;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.PermitId;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.StoreCapabilities;
import dev.ratelimit.store.StoreDiagnostics;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.memory.MemoryStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * What happens to the counts of an instance when other rules come into force.
 */
class SynchronizerTests {

	private static final Subject SUBJECT = new Subject("s");

	private final MovableClock clock = new MovableClock();

	private final MemoryStore memory = new MemoryStore(this.clock);

	private final CountingStore store = new CountingStore(this.memory);

	private final SyncedInstance instance = new SyncedInstance(this.store, this.clock, SyncedInstance.oneOf(3));

	private final Limit stays = limit("stays");

	private final Limit goes = limit("goes");

	private static Limit limit(String rule) {
		return Limit.of(RLConfig.builder(rule)
			.algorithm(Algorithm.FIXED_WINDOW)
			.mode(Mode.SYNCED)
			.thresholds("1000/10s")
			.build());
	}

	private long counted(Limit limit) {
		AcquireRequest tooMuch = new AcquireRequest(limit, SUBJECT, 1001, new PermitId("look"));
		AcquireResult result = this.memory.acquire(List.of(tooMuch), Duration.ofSeconds(1)).await().get(0);
		return 1000 - ((AcquireResult.Refused) result).usage().get(0).remaining();
	}

	@Test
	void aLimitThatStaysInForceGoesOnWithoutACallOfTheStore() {
		this.instance.admitted(this.stays, SUBJECT, 4);
		this.instance.retain(this.stays);
		assertThat(this.instance.unsynced(this.stays, SUBJECT)).isEqualTo(3);
		assertThat(this.store.acquired()).isOne();
		this.instance.admitted(this.stays, SUBJECT, 4);
		assertThat(this.store.acquired()).isZero();
	}

	@Test
	void permitsOfALimitThatIsNoLongerInForceAreSynced() {
		this.instance.admitted(this.goes, SUBJECT, 11);
		this.instance.retain(this.stays);
		assertThat(this.instance.unsynced(this.goes, SUBJECT)).as("of a limit that was removed").isZero();
		this.instance.round();
		assertThat(counted(this.goes)).isEqualTo(11);
	}

	@Test
	void aResetIsNotUndoneByARoundMeanwhile() {
		CompiledRule rule = CompiledRule.of(RLConfig.builder("reset")
			.algorithm(Algorithm.FIXED_WINDOW)
			.mode(Mode.SYNCED)
			.thresholds("1000/10s")
			.build(), 64, false);
		Limit limit = rule.limits().iterator().next().limit();
		this.instance.admitted(limit, SUBJECT, 40);
		assertThat(this.instance.unsynced(limit, SUBJECT)).isPositive();
		Inspector inspector = this.memory.capabilities().inspector().orElseThrow();
		StoreCapabilities racing = new StoreCapabilities("racing", StoreCapabilities.Scope.SHARED,
				EnumSet.allOf(Algorithm.class), false, Optional.empty(), Optional.empty(), Optional.of(new Inspector() {

					@Override
					public Inspection peek(Limit of, Subject subject, Duration maxWait) {
						return inspector.peek(of, subject, maxWait);
					}

					@Override
					public Optional<StoreFailure> reset(Limit of, Subject subject, Duration maxWait) {
						Optional<StoreFailure> failure = inspector.reset(of, subject, maxWait);
						SynchronizerTests.this.instance.round();
						return failure;
					}

				}), StoreDiagnostics.NONE, () -> 0, () -> {
				});
		RateLimitStore resetting = new DelegatingStore(this.memory) {

			@Override
			public StoreCapabilities capabilities() {
				return racing;
			}

		};
		PermitSources sources = new PermitSources(Map.of(Mode.ModeKind.SYNCED, this.instance::synchronizer));
		sources.follow(List.of(limit));
		assertThat(sources.find(limit)).isSameAs(this.instance.synchronizer());
		new ClientInspector(resetting, Fallback.alone(new MemoryStore(this.clock)), DenyCache.off(), sources,
				Duration.ofSeconds(1))
			.reset(rule, SUBJECT);
		assertThat(counted(limit)).isZero();
	}

	@Test
	void aReportThatFailsAfterAResetIsNotSentAgain() {
		AtomicReference<SyncedInstance> reporting = new AtomicReference<>();
		SyncedInstance busy = new SyncedInstance(new CountingStore(this.memory, (permits, maxWait) -> {
			reporting.get().synchronizer().forget("stays", SUBJECT);
			return Collections.nCopies(permits.size(),
					new AcquireResult.Failed(StoreFailure.UNREACHABLE, Fate.NOT_TAKEN));
		}), this.clock, SyncedInstance.oneOf(3));
		reporting.set(busy);
		busy.admitted(this.stays, SUBJECT, 7);
		busy.round();
		assertThat(busy.unsynced(this.stays, SUBJECT)).isZero();
	}

	/** A store that answers no report. */
	private CountingStore silent(Runnable beforeEach) {
		return new CountingStore(this.memory, (permits, maxWait) -> {
			beforeEach.run();
			this.clock.advance(maxWait);
			return Collections.nCopies(permits.size(), new AcquireResult.Failed(StoreFailure.TIMEOUT, Fate.UNKNOWN));
		});
	}

	private SyncedInstance withSubjects(CountingStore store, int subjects, int requests) {
		SyncedInstance busy = new SyncedInstance(store, this.clock, SyncedInstance.oneOf(3));
		for (int i = 0; i < subjects; i++) {
			busy.admitted(this.stays, new Subject("s" + i), requests);
		}
		return busy;
	}

	@Test
	void aCallThatThrowsLeavesTheOtherCountersToTheNextRound() {
		AtomicBoolean fails = new AtomicBoolean(true);
		CountingStore failing = silent(() -> {
			if (fails.getAndSet(false)) {
				throw new IllegalStateException("of the test");
			}
		});
		SyncedInstance busy = withSubjects(failing, 1200, 7);
		assertThatIllegalStateException().isThrownBy(busy::round);
		assertThat(busy.lost()).as("of the failed call").containsExactly("stays 3000");
		busy.round();
		assertThat(failing.reported()).isEqualTo(500 + 700);
	}

	@Test
	@Timeout(30)
	void theEndStopsARoundThatIsUnderWayAndReportsWhatIsLost() throws InterruptedException {
		AtomicReference<Thread> closer = new AtomicReference<>();
		CountingStore silent = silent(() -> {
			Thread thread = closer.get();
			if (thread.getState() == Thread.State.NEW) {
				thread.start();
				while (thread.getState() != Thread.State.BLOCKED && !Thread.currentThread().isInterrupted()) {
					LockSupport.parkNanos(100_000);
				}
			}
		});
		SyncedInstance closing = withSubjects(silent, 2000, 7);
		closer.set(new Thread(closing::close));
		closing.round();
		closer.get().join();
		assertThat(silent.reported()).as("one call of the round, and two of the end").isEqualTo(1500);
		assertThat(closing.lost()).as("not reported by the end").filteredOn("stays 6"::equals).hasSize(500);
	}

	@Test
	void aHurryThatCannotBeScheduledIsMadeUpForByTheNext() {
		this.instance.failNextHurry();
		assertThatExceptionOfType(OutOfMemoryError.class)
			.isThrownBy(() -> this.instance.admitted(this.stays, SUBJECT, 41));
		this.instance.admitted(this.stays, new Subject("another"), 41);
		this.instance.hurry();
		assertThat(this.store.reported()).isEqualTo(2);
	}

	@Test
	void theEndDoesNotWaitForEachCallThatIsNotAnswered() {
		CountingStore silent = silent(() -> {
		});
		SyncedInstance closing = withSubjects(silent, 2000, 2);
		closing.close();
		assertThat(silent.reported()).as("two calls of a second").isEqualTo(1000);
		assertThat(closing.lost()).filteredOn("stays 1"::equals).hasSize(1000);
	}

	/** Else the first of a growing fleet would spend the share of a smaller one. */
	@Test
	void aSubjectAsksTheStoreAgainWhenInstancesHaveJoined() {
		this.instance.shareWith(1);
		this.instance.admitted(this.stays, SUBJECT, 1);
		this.instance.round();
		this.store.acquired();
		this.instance.shareWith(3);
		this.instance.round();
		this.instance.admitted(this.stays, SUBJECT, 52);
		assertThat(this.store.acquired()).as("at first, and above a share of 50").isEqualTo(2);
	}

	@Test
	void aSubjectGoesOnWithoutTheStoreWhenInstancesHaveLeft() {
		this.instance.admitted(this.stays, SUBJECT, 11);
		this.instance.round();
		this.store.acquired();
		this.instance.shareWith(2);
		this.instance.round();
		this.instance.admitted(this.stays, SUBJECT, 11);
		assertThat(this.store.acquired()).isZero();
	}

	/**
	 * Else it would be admitted here a second time before the store knows of the first.
	 */
	@Test
	void permitsOfALimitThatIsNoLongerInForceAreReportedAtOnce() {
		this.instance.admitted(this.goes, SUBJECT, 3);
		this.instance.retain(this.stays);
		this.instance.hurry();
		assertThat(counted(this.goes)).isEqualTo(3);
	}

	@Test
	void aRequestUnderOldRulesDoesNotBringTheirLimitBack() {
		this.instance.retain(this.stays);
		assertThat(this.instance.admitted(this.goes, SUBJECT, 3)).isEqualTo(3);
		assertThat(this.store.acquired()).as("each is sent to the store").isEqualTo(3);
		assertThat(this.instance.unsynced(this.goes, SUBJECT)).isZero();
	}

	@Test
	void aReleaseUnderAnOldLimitReachesTheStore() {
		Slot admitted = this.instance.acquireSlot(this.goes, SUBJECT, 1);
		this.instance.retain(this.stays);
		this.instance.release(admitted);
		assertThat(counted(this.goes)).isZero();
	}

}
