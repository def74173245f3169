package dev.ratelimit.limiter.lease;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

import dev.ratelimit.fixture.DelegatingStore;
import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.limiter.TestLimiter;
import dev.ratelimit.limiter.TestPipeline;
import dev.ratelimit.limiter.lease.LeaseModel.Result;
import dev.ratelimit.rule.Mode;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.PermitId;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.memory.MemoryStore;
import dev.ratelimit.support.Pending;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * All schedules of the protocol of leases, for small sizes: what a failover may admit
 * above a limit, and how.
 */
class LeaseSearchTests {

	private static final int INSTANCES = 2;

	private static final int REQUESTS = 4;

	/** Of more, {@link LeaseSearchProof} searches. */
	private static final List<Integer> LIMITS = List.of(1, 2, 3);

	private int ids;

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void withoutAFailoverNothingIsAdmittedAboveTheLimit(boolean named) {
		LIMITS.forEach((limit) -> assertNoneAboveTheLimit(named, limit));
	}

	static void assertNoneAboveTheLimit(boolean named, int limit) {
		Result result = new LeaseModel(named, limit, INSTANCES, REQUESTS, false).search((state) -> false);
		print(named, limit, "no failover", result);
		assertThat(result.aboveLimit()).isZero();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aFailoverAdmitsNoMoreThanThePromotedReplicaHadNotReceived(boolean named) {
		LIMITS.forEach((limit) -> assertNoneAboveWhatWasLost(named, limit));
	}

	static void assertNoneAboveWhatWasLost(boolean named, int limit) {
		Result result = new LeaseModel(named, limit, INSTANCES, REQUESTS, true).search((state) -> false);
		print(named, limit, "a failover", result);
		assertThat(result.aboveLimit()).isPositive();
		assertThat(result.aboveLost()).isZero();
		if (named) {
			// A log takes back only what it has counted.
			assertThat(result.aboveSpentOfLost()).isZero();
		}
	}

	private static void print(boolean named, int limit, String what, Result result) {
		System.out.printf(Locale.ROOT,
				"Leases of a %s, limit %d, %d instances, %d requests, %s: %,d states, at most %d above the limit%n",
				named ? "log" : "counter", limit, INSTANCES, REQUESTS, what, result.states(), result.aboveLimit());
	}

	@Test
	void theShortestScheduleThatAdmitsOneMore() {
		Result result = new LeaseModel(true, 1, INSTANCES, REQUESTS, true).search((state) -> state.admitted() == 2);
		assertThat(result.schedule()).containsExactly("instance 0 requests 1", "instance 1 requests 1",
				"Redis grants instance 0 1", "the reply to instance 0 arrives, one permit is spent",
				"the replica is promoted, unknown to it: 1", "Redis grants instance 1 1",
				"the reply to instance 1 arrives, one permit is spent");
	}

	/**
	 * After the failover a counter may take back a permit that it never counted: then it
	 * takes back a permit of another request.
	 */
	@Test
	void theShortestScheduleInWhichACounterTakesBackWhatItNeverCounted() {
		Result result = new LeaseModel(false, 1, INSTANCES, REQUESTS, true)
			.search((state) -> state.admitted() == 2 && state.spentOfLost() == 0);
		assertThat(result.schedule()).containsSubsequence("the reply to instance 0 arrives too late",
				"the replica is promoted, unknown to it: 1", "Redis takes back 1 of grant 0");
	}

	/** The same with what runs in production, whose replica is one write behind. */
	@Test
	void aReplicaThatLacksTheLastGrantAdmitsSixtyOneOfSixty() {
		MovableClock clock = new MovableClock();
		Replicated store = new Replicated(clock);
		Limit limit = Limit.of(RLConfig.builder("failover").thresholds("60/1h").mode(Mode.LEASED).build());
		List<TestPipeline> instances = Stream.of(0, 1)
			.map((i) -> TestPipeline.leasing(
					RenewalsByHand.atOnce(TestLimiter.over(store, clock::nanoTime).remote(), clock::nanoTime), store,
					clock::nanoTime))
			.toList();
		assertThat(admitted(instances, limit)).isEqualTo(60);
		clock.advance(Duration.ofSeconds(2));
		assertThat(admitted(instances, limit)).isZero();
		store.promoteReplica();
		clock.advance(Duration.ofSeconds(2));
		assertThat(admitted(instances, limit)).isEqualTo(1);
	}

	private int admitted(List<TestPipeline> instances, Limit limit) {
		int admitted = 0;
		for (int i = 0; i < 200; i++) {
			admitted += isAdmitted(instances.get(i % INSTANCES), limit) ? 1 : 0;
		}
		return admitted;
	}

	private boolean isAdmitted(TestPipeline instance, Limit limit) {
		return instance.acquire(new AcquireRequest(limit, new Subject("s"), 1, new PermitId("p" + this.ids++)))
			.result() instanceof AcquireResult.Admitted;
	}

	/** A master and a replica that does what the master did before its last write. */
	private static final class Replicated extends DelegatingStore {

		private final MemoryStore replica;

		private Optional<List<AcquireRequest>> lastWrite = Optional.empty();

		Replicated(MovableClock clock) {
			super(new MemoryStore(clock));
			this.replica = new MemoryStore(clock);
		}

		@Override
		public Pending<List<AcquireResult>> acquire(List<AcquireRequest> requests, Duration maxWait) {
			List<AcquireResult> results = super.acquire(requests, maxWait).await();
			if (!(results.get(0) instanceof AcquireResult.Refused)) {
				this.lastWrite.ifPresent((write) -> this.replica.acquire(write, maxWait));
				this.lastWrite = Optional.of(requests);
			}
			return Pending.of(results);
		}

		void promoteReplica() {
			delegateTo(this.replica);
		}

	}

}
