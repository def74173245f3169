package dev.ratelimit.limiter.remote;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.ratelimit.RateLimitDecision.Source;
import dev.ratelimit.fixture.DelegatingStore;
import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.fixture.RecordingStore;
import dev.ratelimit.fixture.Watches;
import dev.ratelimit.limiter.health.StoreListener;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.Fate;
import dev.ratelimit.store.Limits;
import dev.ratelimit.store.PermitId;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.SettlementResult;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.memory.MemoryStore;
import dev.ratelimit.support.DaemonThreads;
import dev.ratelimit.support.Pending;
import dev.ratelimit.support.WaitBudget;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class RemoteStoreListenerTests {

	private static final Duration TIME = Duration.ofMillis(30);

	private final MovableClock clock = new MovableClock();

	private final RecordingStore store = new RecordingStore(new MemoryStore(this.clock));

	private final List<String> calls = new CopyOnWriteArrayList<>();

	private final RemoteStore watched = new RemoteStore(this.store, Source.STORE, Optional.empty(),
			Watches.quiet(this.clock::nanoTime), new Calls(), this::slowly);

	/** The clock moves with every look at it, so that a call seems to take that long. */
	private long slowly() {
		this.clock.advance(TIME);
		return this.clock.nanoTime();
	}

	private static AcquireRequest request(String rule) {
		return new AcquireRequest(Limits.of(rule, "5/60s"), new Subject("a"), 1, new PermitId("p"));
	}

	private List<AcquireResult> acquire(String... rules) {
		return this.watched
			.acquire(Stream.of(rules).map(RemoteStoreListenerTests::request).toList(), new WaitBudget(TIME))
			.await();
	}

	@Test
	void aCallIsReportedOnceHoweverManyRequestsItCarried() {
		assertThat(acquire("a", "b")).hasSize(2);
		assertThat(this.calls).containsExactly("SUCCESS in 30000000");
	}

	@Test
	void aTimeoutAmongOtherFailuresIsATimeout() {
		this.store.failFor("error");
		this.store.timeOutFor("late");
		acquire("fine", "error");
		acquire("error", "late", "fine");
		assertThat(this.calls).containsExactly("ERROR in 30000000", "TIMEOUT in 30000000");
	}

	@Test
	void overloadOfTheApplicationIsNoFailureOfACall() {
		this.store.overloadFor("busy");
		acquire("busy", "fine");
		assertThat(this.calls).containsExactly("SUCCESS in 30000000");
	}

	@Test
	void aCallWithoutAThreadEndsOnceWhateverTheStoreDoes() {
		assertThat(this.watched.acquire(List.of(request("a")), new WaitBudget(TIME)).start(Runnable::run))
			.isCompleted();
		assertThat(this.calls).containsExactly("SUCCESS in 30000000");
		this.calls.clear();
		this.store.duringCalls(() -> {
			throw new IllegalStateException("broken");
		});
		assertThat(this.watched.acquire(List.of(request("a")), new WaitBudget(TIME)).start(Runnable::run))
			.isCompletedWithValue(List.of(new AcquireResult.Failed(StoreFailure.ERROR, Fate.UNKNOWN)));
		AcquiredPermits taken = new AcquiredPermits(request("a"));
		assertThat(this.watched.settle(List.of(Settlement.release(taken)), new WaitBudget(TIME)).start(Runnable::run))
			.isCompletedWithValue(List.of(SettlementResult.LOST));
		assertThat(this.calls).hasSize(2).allMatch((call) -> call.startsWith("ERROR in "));
	}

	/** As a release does that no thread waits for. */
	@Test
	void aListenerThatBlocksHoldsUpNoThreadOfTheLimiter() throws InterruptedException {
		CountDownLatch left = new CountDownLatch(1);
		StoreListener.Call blocking = (outcome) -> {
			try {
				left.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			this.calls.add("ended with " + outcome);
		};
		RemoteStore remote = new RemoteStore(this.store, Source.STORE, Optional.empty(),
				Watches.quiet(this.clock::nanoTime), StoreListener.all(List.of(new Beginning(blocking))), this::slowly);
		Thread releasing = DaemonThreads.create("ratelimit-any", () -> {
			List<AcquireResult> ignored = remote.acquire(List.of(request("a")), new WaitBudget(TIME)).await();
		});
		releasing.start();
		releasing.join(TimeUnit.SECONDS.toMillis(30));
		assertThat(releasing.isAlive()).isFalse();
		assertThat(this.calls).isEmpty();
		left.countDown();
		Awaitility.await().untilAsserted(() -> assertThat(this.calls).containsExactly("ended with SUCCESS"));
	}

	@Test
	void anotherNumberOfResultsIsAnErrorOfTheStore(CapturedOutput output) {
		RemoteStore remote = new RemoteStore(new DelegatingStore(this.store) {
			@Override
			public Pending<List<AcquireResult>> acquire(List<AcquireRequest> requests, Duration maxWait) {
				return super.acquire(requests.subList(0, 1), maxWait);
			}
		}, Source.STORE, Optional.empty(), Watches.quiet(this.clock::nanoTime), new Calls(), this::slowly);
		assertThat(remote.acquire(List.of(request("a"), request("b")), new WaitBudget(TIME)).await())
			.isEqualTo(Collections.nCopies(2, new AcquireResult.Failed(StoreFailure.ERROR, Fate.UNKNOWN)));
		assertThat(output).contains("The store returned 1 results for 2 requests, which no store may do");
		assertThat(this.calls).containsExactly("ERROR in 60000000");
	}

	@Test
	void aReleaseIsACallToo() {
		AcquiredPermits taken = new AcquiredPermits(request("a"));
		assertThat(this.watched.settle(List.of(Settlement.release(taken)), new WaitBudget(TIME)).await())
			.containsExactly(SettlementResult.ACKNOWLEDGED);
		this.store.failFor("a");
		assertThat(this.watched.settle(List.of(Settlement.release(taken)), new WaitBudget(TIME)).await())
			.containsExactly(SettlementResult.LOST);
		assertThat(this.calls).containsExactly("SUCCESS in 30000000", "ERROR in 30000000");
	}

	private final class Calls implements StoreListener {

		@Override
		public void called(CallResult outcome, long nanos) {
			RemoteStoreListenerTests.this.calls.add(outcome + " in " + nanos);
		}

		@Override
		public void unanswered(StoreFailure failure) {
		}

	}

	private record Beginning(StoreListener.Call call) implements StoreListener {

		@Override
		public Call begin(Operation operation) {
			return this.call;
		}

	}

}
