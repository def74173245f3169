package dev.ratelimit.limiter.remote;

import java.time.Duration;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.ratelimit.RateLimitDecision.Source;
import dev.ratelimit.fixture.Caller;
import dev.ratelimit.fixture.DelegatingStore;
import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.fixture.Sneaky;
import dev.ratelimit.fixture.Watches;
import dev.ratelimit.limiter.TestLimiter;
import dev.ratelimit.limiter.health.StoreListener;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.Fate;
import dev.ratelimit.store.Limits;
import dev.ratelimit.store.PermitId;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.SettlementResult;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.memory.MemoryStore;
import dev.ratelimit.support.Pending;
import dev.ratelimit.support.WaitBudget;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * When a shard is no longer called, and when it is tried again. The shard of a request is
 * the first letter of its subject.
 */
class RemoteStoreBreakerTests {

	private static final Duration OPEN = Duration.ofSeconds(1);

	private static final Duration DEADLINE = Duration.ofMillis(250);

	/** So far apart that each failure counts, and not so long that few do. */
	private static final Duration APART = Duration.ofMillis(25);

	private static final Duration FIRST_PAUSE = Duration.ofMillis(50);

	private final MovableClock clock = new MovableClock();

	private final Breakers breakers = new Breakers(5, OPEN, DEADLINE, this.clock::nanoTime);

	private final Sharded shards = new Sharded();

	private final RemoteStore store = remote(this.shards);

	private RemoteStore remote(RateLimitStore store) {
		return TestLimiter.over(store, this.clock).breakers(this.breakers).remote();
	}

	private static AcquireRequest request(String subject) {
		return new AcquireRequest(Limits.of("breaker", "1000000/60s"), new Subject(subject), 1, new PermitId("p"));
	}

	private List<AcquireResult> acquire(String... subjects) {
		return this.store
			.acquire(List.of(subjects).stream().map(RemoteStoreBreakerTests::request).toList(), new WaitBudget(OPEN))
			.await();
	}

	private AcquireResult acquireOnce(String subject) {
		return acquire(subject).get(0);
	}

	private static boolean isShortCircuited(AcquireResult result) {
		return result instanceof AcquireResult.Failed failed && failed.failure() == StoreFailure.CIRCUIT_OPEN;
	}

	private void failInARow(int times, String shard, StoreFailure failure) {
		this.shards.fail(shard, failure);
		IntStream.range(0, times).forEach((i) -> acquire(shard));
	}

	@Test
	void aDeadShardIsCalledAHandfulOfTimes() {
		failInARow(1000, "a", StoreFailure.TIMEOUT);
		assertThat(this.shards.calls).isEqualTo(5);
		assertThat(this.breakers.open()).isEqualTo(1);
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = { "ERROR", "OVERLOADED", "CIRCUIT_OPEN" })
	void everyFailureOfAShardOpens(StoreFailure failure) {
		failInARow(1000, "a", failure);
		assertThat(this.shards.calls).isEqualTo(5);
	}

	@Test
	void anErrorMayBeAboutOneKeyAndOpensNothing() {
		failInARow(1000, "a", StoreFailure.ERROR);
		assertThat(this.shards.calls).isEqualTo(1000);
		assertThat(this.breakers.open()).isZero();
	}

	@Test
	void overloadNeitherOpensABreakerNorResetsIt() {
		failInARow(1000, "a", StoreFailure.OVERLOADED);
		assertThat(this.breakers.open()).isZero();
		failInARow(4, "a", StoreFailure.TIMEOUT);
		failInARow(1000, "a", StoreFailure.OVERLOADED);
		assertThat(this.breakers.open()).isZero();
		failInARow(1, "a", StoreFailure.TIMEOUT);
		assertThat(this.breakers.open()).isEqualTo(1);
	}

	@Test
	void aCallThatIsMadeAndDroppedIsNoProbe() {
		failInARow(5, "a", StoreFailure.TIMEOUT);
		this.clock.advance(OPEN.plusNanos(1000));
		this.shards.recover();
		assertThat(this.store.acquire(List.of(request("a")), new WaitBudget(OPEN))).isNotNull();
		assertThat(acquireOnce("a")).isInstanceOf(AcquireResult.Admitted.class);
	}

	@Test
	void anOverloadedProbeDoesNotExtendThePause() {
		failInARow(5, "a", StoreFailure.TIMEOUT);
		for (int i = 1; i <= 10; i++) {
			this.clock.advance(FIRST_PAUSE);
			failInARow(100, "a", StoreFailure.OVERLOADED);
			assertThat(this.shards.calls).isEqualTo(5 + i);
		}
		assertThat(this.breakers.open()).isEqualTo(1);
	}

	/** They share a connection, which was closed or does not respond. */
	@Test
	void callsInFlightTogetherAreOneFailure() {
		this.shards.fail("a", StoreFailure.TIMEOUT);
		failTogether(100);
		assertThat(this.breakers.open()).isZero();
		this.shards.recover();
		assertThat(acquireOnce("a")).isInstanceOf(AcquireResult.Admitted.class);
		this.shards.fail("a", StoreFailure.TIMEOUT);
		this.clock.advance(DEADLINE.multipliedBy(10));
		failTogether(100);
		assertThat(this.breakers.open()).isZero();
	}

	/** Each begins before the one before it has failed. */
	private void failTogether(int calls) {
		Runnable before = this.shards.meanwhile;
		this.shards.meanwhile = () -> {
			this.clock.advance(APART);
			if (calls > 1) {
				failTogether(calls - 1);
			}
			// Calls that fail together may return one after the other.
			this.clock.advance(APART);
		};
		acquireOnce("a");
		this.shards.meanwhile = before;
	}

	@Test
	void failuresThatFollowAtOnceAreOne() {
		this.shards.meanwhile = () -> {
		};
		failInARow(1000, "a", StoreFailure.UNREACHABLE);
		assertThat(this.breakers.open()).isZero();
		for (int i = 0; i < 4; i++) {
			this.clock.advance(APART);
			failInARow(1000, "a", StoreFailure.UNREACHABLE);
		}
		assertThat(this.breakers.open()).isEqualTo(1);
	}

	/** Two callers wait in vain for a shard that hangs, and no third one does. */
	@Test
	void aShardWithoutAnAnswerForTwoDeadlinesIsNoLongerCalled() {
		this.shards.meanwhile = () -> this.clock.advance(DEADLINE);
		failInARow(100, "a", StoreFailure.TIMEOUT);
		assertThat(this.shards.calls).isEqualTo(2);
		assertThat(this.breakers.open()).isEqualTo(1);
	}

	/** Twenty callers that call a shard that hangs, again and again. */
	@Test
	void aHungShardCostsEachCallerTwoDeadlinesAndFromThenOnOneCallAtATime() {
		ShardBreaker breaker = this.breakers.of("hung");
		Map<Integer, ShardState> underWay = new HashMap<>();
		Map<Integer, Integer> waits = new HashMap<>();
		long[] ends = new long[20];
		List<Long> later = new ArrayList<>();
		for (int millis = 0; millis < 10_000; millis++, this.clock.advance(Duration.ofMillis(1))) {
			for (int caller = 0; caller < ends.length; caller++) {
				if (underWay.containsKey(caller) && ends[caller] == millis) {
					breaker.failed(underWay.remove(caller));
				}
				ShardState seen = underWay.containsKey(caller) ? null : breaker.tryPass();
				if (seen != null) {
					underWay.put(caller, seen);
					ends[caller] = millis + DEADLINE.toMillis();
					waits.merge(caller, (millis < 1000) ? 1 : 0, Integer::sum);
					if (millis >= 500) {
						later.add((long) millis);
					}
				}
			}
		}
		assertThat(waits.values().stream().mapToInt(Integer::intValue).sum()).as("two, and the probes")
			.isLessThanOrEqualTo(2 * ends.length + 3);
		for (int i = 1; i < later.size(); i++) {
			assertThat(later.get(i) - later.get(i - 1)).as("one at a time").isGreaterThan(DEADLINE.toMillis());
		}
		assertThat(later.stream().filter((millis) -> millis >= 1000)).as("one in about a second").hasSizeLessThan(11);
	}

	/** So a hiccup costs little, and a dead shard no more than one call a second. */
	@Test
	void callsTryAgainSoonAtFirst() {
		failInARow(5, "a", StoreFailure.TIMEOUT);
		this.shards.meanwhile = () -> {
		};
		for (int pause : new int[] { 50, 100, 200, 400, 800, 1000, 1000 }) {
			int before = this.shards.calls;
			this.clock.advance(Duration.ofMillis(pause).minusNanos(1000));
			failInARow(10, "a", StoreFailure.TIMEOUT);
			assertThat(this.shards.calls).isEqualTo(before);
			this.clock.advance(Duration.ofNanos(1000));
			failInARow(10, "a", StoreFailure.TIMEOUT);
			assertThat(this.shards.calls).isEqualTo(before + 1);
		}
		this.shards.recover();
		this.clock.advance(OPEN);
		assertThat(acquireOnce("a")).isInstanceOf(AcquireResult.Admitted.class);
		this.shards.meanwhile = () -> this.clock.advance(APART);
		failInARow(5, "a", StoreFailure.TIMEOUT);
		this.clock.advance(FIRST_PAUSE);
		failInARow(1, "a", StoreFailure.TIMEOUT);
		assertThat(this.shards.calls).as("it begins anew").isEqualTo(5 + 7 + 1 + 5 + 1);
	}

	@Test
	void fewerFailuresOpenNothingHoweverOftenTheyCome() {
		for (int i = 0; i < 100; i++) {
			failInARow(4, "a", StoreFailure.TIMEOUT);
			this.shards.recover();
			assertThat(acquireOnce("a")).isInstanceOf(AcquireResult.Admitted.class);
		}
		assertThat(this.shards.calls).isEqualTo(500);
	}

	@Test
	void aCallIsOneFailureHoweverManyRequestsItCarried() {
		this.shards.fail("a", StoreFailure.TIMEOUT);
		for (int i = 0; i < 4; i++) {
			acquire("a1", "a2", "a3", "a4", "a5");
		}
		assertThat(this.breakers.open()).isZero();
		acquire("a1", "a2");
		assertThat(this.breakers.open()).isEqualTo(1);
	}

	@ParameterizedTest
	@CsvSource({ "a1, a2", "a2, a1" })
	void theWorstResultOfAShardCounts(String one, String other) {
		this.shards.fail("a1", StoreFailure.TIMEOUT);
		IntStream.range(0, 5).forEach((i) -> acquire(one, other));
		assertThat(this.breakers.open()).isEqualTo(1);
	}

	@Test
	void aSkippedRequestTakesNothingAndReportsWhenTheNextCallIsTried() {
		failInARow(5, "a", StoreFailure.TIMEOUT);
		this.clock.advance(Duration.ofMillis(30));
		assertThat(acquireOnce("a"))
			.isEqualTo(new AcquireResult.Failed(StoreFailure.CIRCUIT_OPEN, Fate.NOT_TAKEN, Duration.ofMillis(20)));
	}

	@Test
	void otherShardsDecideInTheSameCall() {
		failInARow(5, "a", StoreFailure.UNREACHABLE);
		List<AcquireResult> results = acquire("b1", "a1", "c1", "a2", "b2");
		assertThat(results).extracting(RemoteStoreBreakerTests::isShortCircuited)
			.containsExactly(false, true, false, true, false);
		assertThat(results.get(0)).isInstanceOf(AcquireResult.Admitted.class);
		assertThat(this.shards.lastSubjects).containsExactly("b1", "c1", "b2");
	}

	@Test
	void oneCallTriesAgainPerInterval() {
		failInARow(5, "a", StoreFailure.TIMEOUT);
		for (int second = 0; second < 10; second++) {
			this.clock.advance(OPEN.plusNanos(1000));
			failInARow(100, "a", StoreFailure.TIMEOUT);
		}
		assertThat(this.shards.calls).isEqualTo(5 + 10);
	}

	@Test
	void whileOneCallIsTriedTheOthersAreNot() {
		failInARow(5, "a", StoreFailure.TIMEOUT);
		this.clock.advance(OPEN.plusNanos(1000));
		this.shards.meanwhile = () -> assertThat(IntStream.range(0, 100).mapToObj((i) -> acquireOnce("a")))
			.allMatch(RemoteStoreBreakerTests::isShortCircuited);
		acquireOnce("a");
		assertThat(this.shards.calls).isEqualTo(6);
	}

	@Test
	void oneAnswerClosesIt() {
		failInARow(5, "a", StoreFailure.TIMEOUT);
		this.shards.recover();
		this.clock.advance(OPEN.plusNanos(1000));
		assertThat(acquire("a1", "a2")).allMatch(AcquireResult.Admitted.class::isInstance);
		assertThat(this.breakers.open()).isZero();
		failInARow(4, "a", StoreFailure.TIMEOUT);
		assertThat(this.breakers.open()).isZero();
	}

	@Test
	void aStoreThatThrowsAgainstItsContractIsAFailureThatEndsTheProbe() {
		failInARow(5, "a", StoreFailure.TIMEOUT);
		this.clock.advance(OPEN.plusNanos(1000));
		this.shards.meanwhile = () -> {
			throw new IllegalStateException("broken");
		};
		assertThat(acquireOnce("a")).isEqualTo(new AcquireResult.Failed(StoreFailure.ERROR, Fate.UNKNOWN));
		this.shards.meanwhile = () -> {
		};
		this.shards.recover();
		this.clock.advance(OPEN.plusNanos(1000));
		assertThat(acquireOnce("a")).isInstanceOf(AcquireResult.Admitted.class);
	}

	static Stream<Arguments> brokenResults() {
		return Stream.<Supplier<List<AcquireResult>>>of(() -> {
			throw new IllegalStateException("await");
		}, () -> null, List::of, () -> Collections.singletonList(null), Unreadable::new)
			.flatMap((each) -> Stream.of(arguments(each, Caller.WAITS), arguments(each, Caller.RETURNS)));
	}

	private static Pending<List<AcquireResult>> pending(Supplier<List<AcquireResult>> results) {
		return new Pending<>() {
			@Override
			protected List<AcquireResult> doAwait() {
				return results.get();
			}

			@Override
			protected CompletionStage<List<AcquireResult>> doStart(Executor executor) {
				List<AcquireResult> value = results.get();
				return (value != null) ? CompletableFuture.completedStage(value) : null;
			}
		};
	}

	private static final class Unreadable extends AbstractList<AcquireResult> {

		@Override
		public AcquireResult get(int index) {
			throw new IllegalStateException("read");
		}

		@Override
		public int size() {
			return 1;
		}

	}

	@ParameterizedTest
	@MethodSource("brokenResults")
	void whateverAStoreReturnsAgainstItsContractEndsTheProbe(Supplier<List<AcquireResult>> broken, Caller caller) {
		RemoteStore remote = remote(new DelegatingStore(this.shards) {
			@Override
			public Pending<List<AcquireResult>> acquire(List<AcquireRequest> requests, Duration maxWait) {
				return pending(broken);
			}
		});
		failInARow(5, "a", StoreFailure.TIMEOUT);
		this.clock.advance(OPEN.plusNanos(1000));
		assertThat(caller.obtain(remote.acquire(List.of(request("a")), new WaitBudget(OPEN))))
			.containsExactly(new AcquireResult.Failed(StoreFailure.ERROR, Fate.UNKNOWN));
		this.shards.recover();
		this.clock.advance(OPEN.plusNanos(1000));
		assertThat(acquireOnce("a")).isInstanceOf(AcquireResult.Admitted.class);
	}

	@Test
	void aStoreThatCannotNameAShardIsCalledAllTheSame() {
		RemoteStore remote = remote(new DelegatingStore(this.shards) {
			@Override
			public String shard(AcquireRequest request) {
				throw new IllegalStateException("shard");
			}
		});
		assertThat(remote.acquire(List.of(request("a"), request("b")), new WaitBudget(OPEN)).await())
			.allMatch(AcquireResult.Admitted.class::isInstance);
		assertThat(remote.settle(List.of(Settlement.release(new AcquiredPermits(request("a")))), new WaitBudget(OPEN))
			.await()).hasSize(1);
	}

	@Test
	void aListenerThatThrowsChangesNoResultAndLeavesNoProbeOpen() {
		RemoteStore traced = new RemoteStore(this.shards, Source.STORE, Optional.of(this.breakers),
				Watches.quiet(this.clock::nanoTime), StoreListener.all(List.of(new StoreListener() {
					@Override
					public Call begin(Operation operation) {
						if (RemoteStoreBreakerTests.this.breakers.open() == 0) {
							throw Sneaky.checked("begin");
						}
						return (outcome) -> {
							throw Sneaky.checked("end");
						};
					}
				})), this.clock::nanoTime);
		failInARow(5, "a", StoreFailure.TIMEOUT);
		this.clock.advance(OPEN.plusNanos(1000));
		this.shards.recover();
		assertThat(traced.acquire(List.of(request("a")), new WaitBudget(OPEN)).await().get(0))
			.isInstanceOf(AcquireResult.Admitted.class);
		assertThat(this.breakers.open()).isZero();
		assertThat(traced.acquire(List.of(request("a")), new WaitBudget(OPEN)).await().get(0))
			.isInstanceOf(AcquireResult.Admitted.class);
	}

	@Test
	void releasesPassAnOpenBreakerWithoutWaitingAndAreNoProbe() {
		failInARow(5, "a", StoreFailure.TIMEOUT);
		this.clock.advance(OPEN.plusNanos(1000));
		List<Settlement> settlements = Settlement.release(List.of(new AcquiredPermits(request("a1")),
				new AcquiredPermits(request("b1")), new AcquiredPermits(request("a2"))));
		assertThat(this.store.settle(settlements, new WaitBudget(OPEN)).await()).hasSize(3);
		assertThat(this.shards.released).containsExactly("b1 within PT1S", "a1 within PT0S", "a2 within PT0S");
		this.shards.recover();
		acquireOnce("a");
		this.shards.released.clear();
		assertThat(this.store.settle(settlements, new WaitBudget(OPEN)).await()).hasSize(3);
		assertThat(this.shards.released).containsExactly("a1 within PT1S", "b1 within PT1S", "a2 within PT1S");
	}

	@Test
	void aBreakerThatIsNoLongerUsedIsRemoved() {
		failInARow(5, "a", StoreFailure.TIMEOUT);
		acquire("b");
		this.clock.advance(OPEN.plusSeconds(9));
		this.breakers.tidy();
		assertThat(this.breakers.open()).isEqualTo(1);
		this.clock.advance(OPEN);
		this.breakers.tidy();
		assertThat(this.breakers.open()).isZero();
		assertThat(this.breakers.known()).isEqualTo(1);
	}

	@Test
	void theNumberOfBreakersIsBounded() {
		for (int i = 0; i < 10_000; i++) {
			this.breakers.of("10.0.0." + i);
		}
		assertThat(this.breakers.known()).isBetween(1, 1024);
	}

	/** Counts in memory, except for shards that a test makes fail. */
	private final class Sharded extends DelegatingStore {

		private final Map<String, StoreFailure> failures = new HashMap<>();

		private int calls;

		private List<String> lastSubjects = List.of();

		private final List<String> released = new ArrayList<>();

		private Runnable meanwhile = () -> RemoteStoreBreakerTests.this.clock.advance(APART);

		Sharded() {
			super(new MemoryStore(RemoteStoreBreakerTests.this.clock));
		}

		void fail(String shardOrSubject, StoreFailure failure) {
			this.failures.put(shardOrSubject, failure);
		}

		void recover() {
			this.failures.clear();
		}

		@Override
		public Pending<List<AcquireResult>> acquire(List<AcquireRequest> requests, Duration maxWait) {
			this.calls++;
			this.lastSubjects = requests.stream().map((request) -> request.subject().text()).toList();
			this.meanwhile.run();
			List<AcquireResult> results = new ArrayList<>();
			for (AcquireRequest request : requests) {
				StoreFailure failure = this.failures.getOrDefault(request.subject().text(),
						this.failures.get(shard(request)));
				results.add((failure != null) ? new AcquireResult.Failed(failure, Fate.UNKNOWN)
						: super.acquire(List.of(request), maxWait).await().get(0));
			}
			return Pending.of(results);
		}

		@Override
		public Pending<List<SettlementResult>> settle(List<Settlement> settlements, Duration maxWait) {
			settlements.forEach((settled) -> this.released
				.add(settled.permits().request().subject().text() + " within " + maxWait));
			return super.settle(settlements, maxWait);
		}

		@Override
		public String shard(AcquireRequest request) {
			return request.subject().text().substring(0, 1);
		}

	}

}
