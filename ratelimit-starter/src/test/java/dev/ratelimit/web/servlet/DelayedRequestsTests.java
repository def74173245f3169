package dev.ratelimit.web.servlet;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.fixture.Patience;
import dev.ratelimit.fixture.RecordingListener;
import dev.ratelimit.limiter.Waiter;
import dev.ratelimit.web.servlet.DelayedRequest.Phase;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.mock.web.MockAsyncContext;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.web.context.request.async.WebAsyncUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Waiting without a thread, as the container tells how it goes on.
 */
class DelayedRequestsTests {

	private final MovableClock clock = new MovableClock();

	private final RecordingListener listener = new RecordingListener();

	private final DelayedRequests room = new DelayedRequests(
			new Waiter(this.clock::nanoTime, (nanos) -> this.clock.advanceMicros(nanos / 1000 + 1)), this.listener);

	private final MockHttpServletRequest request = new MockHttpServletRequest();

	private final MockHttpServletResponse response = new MockHttpServletResponse();

	private final AtomicInteger left = new AtomicInteger();

	@BeforeEach
	void supportAsync() {
		this.request.setAsyncSupported(true);
	}

	@AfterEach
	void close() {
		this.room.close();
	}

	private DelayedRequest waitFor(Duration time) {
		long now = this.clock.nanoTime();
		return new DelayedRequest(List.of("r"), now, now + time.toNanos(), new AtomicReference<>(Phase.TO_COME));
	}

	private void enter(DelayedRequest delayedRequest) {
		this.room.enter(delayedRequest, this.request, this.response, this.left::incrementAndGet);
	}

	private MockAsyncContext async() {
		return (MockAsyncContext) this.request.getAsyncContext();
	}

	private void report(AsyncCallback event) throws Exception {
		for (AsyncListener one : async().getListeners()) {
			event.report(one, new AsyncEvent(async()));
		}
	}

	private void awaitDispatch() {
		Awaitility.await()
			.atMost(Patience.LONG)
			.until(() -> WebAsyncUtils.getAsyncManager(this.request).hasConcurrentResult());
	}

	@Test
	void theTimerReleasesNobodyEarlyByTheClock() {
		DelayedRequest delayedRequest = waitFor(Duration.ofMillis(5));
		enter(delayedRequest);
		assertThat(WebAsyncUtils.getAsyncManager(this.request).hasConcurrentResult()).isFalse();
		this.clock.advance(Duration.ofMillis(5));
		awaitDispatch();
		assertThat(this.room.comeBack(delayedRequest, this.request)).isTrue();
		assertThat(WebAsyncUtils.getAsyncManager(this.request).hasConcurrentResult()).isFalse();
		assertThat(this.listener.events()).containsExactly("r waits", "r waited");
	}

	@Test
	void itNeverFollowsTheTimeoutOfTheContainer() {
		enter(waitFor(Duration.ofHours(2)));
		assertThat(async().getTimeout()).isEqualTo(Duration.ofHours(2).plusSeconds(30).toMillis());
	}

	@Test
	void whoTimesOutHasNotHadHisTurn() throws Exception {
		DelayedRequest delayedRequest = waitFor(Duration.ofHours(1));
		enter(delayedRequest);
		this.clock.advance(Duration.ofHours(1).plusSeconds(31));
		report(AsyncListener::onTimeout);
		awaitDispatch();
		assertThat(this.room.comeBack(delayedRequest, this.request)).isFalse();
		assertThat(delayedRequest.isAt(Phase.LEFT)).isTrue();
		assertThat(this.listener.events()).containsExactly("r waits", "r waited");
	}

	@Test
	void whoseConnectionFailsLeavesOnce() throws Exception {
		enter(waitFor(Duration.ofHours(1)));
		report(AsyncListener::onError);
		report(AsyncListener::onComplete);
		report(AsyncListener::onComplete);
		assertThat(this.left).hasValue(1);
		assertThat(this.listener.events()).containsExactly("r waits", "r waited");
	}

	@Test
	void theEndOfARequestThatHadItsTurnIsNoLeaving() throws Exception {
		DelayedRequest delayedRequest = waitFor(Duration.ofMillis(1));
		enter(delayedRequest);
		this.clock.advance(Duration.ofMillis(1));
		awaitDispatch();
		this.room.comeBack(delayedRequest, this.request);
		report(AsyncListener::onComplete);
		assertThat(this.left).hasValue(0);
	}

	@Test
	void whoComesWhenTheApplicationStopsDoesNotWait() {
		this.room.evacuate();
		DelayedRequest delayedRequest = waitFor(Duration.ofHours(1));
		enter(delayedRequest);
		awaitDispatch();
		assertThat(this.room.comeBack(delayedRequest, this.request)).isFalse();
		assertThat(this.room.stay(waitFor(Duration.ofHours(1)))).isFalse();
	}

	@Test
	void anApplicationThatStartsAgainLetsRequestsWait() {
		this.room.evacuate();
		assertThat(this.room.isOpen()).isFalse();
		this.room.open();
		assertThat(this.room.stay(waitFor(Duration.ofHours(1)))).isTrue();
	}

	@Test
	void aThreadThatIsInterruptedDoesNotWait() {
		Thread.currentThread().interrupt();
		assertThat(this.room.stay(waitFor(Duration.ofHours(1)))).isFalse();
		assertThat(Thread.interrupted()).isTrue();
	}

	@Test
	void whoseTurnHasComeOnTheWayComesBackAtOnce() {
		DelayedRequest delayedRequest = waitFor(Duration.ofMillis(1));
		this.clock.advance(Duration.ofMillis(1));
		enter(delayedRequest);
		assertThat(WebAsyncUtils.getAsyncManager(this.request).hasConcurrentResult()).isTrue();
		assertThat(this.room.comeBack(delayedRequest, this.request)).isTrue();
	}

	@Test
	void whoComesWhenTheRoomIsJustBeingClosedLeaves() {
		this.room.close();
		this.room.open();
		DelayedRequest delayedRequest = waitFor(Duration.ofHours(1));
		enter(delayedRequest);
		awaitDispatch();
		assertThat(this.room.comeBack(delayedRequest, this.request)).isFalse();
		assertThat(delayedRequest.isAt(Phase.LEFT)).isTrue();
	}

	@Test
	void whatCannotBeAsynchronousWaitsOnItsThread() {
		this.request.setAsyncSupported(false);
		DelayedRequest delayedRequest = waitFor(Duration.ofSeconds(1));
		assertThat(this.room.mayEnter(delayedRequest, this.request)).isFalse();
		assertThat(this.room.isAtHandlers(this.request)).isFalse();
		assertThat(this.room.stay(delayedRequest)).isTrue();
		assertThat(this.clock.nanoTime()).isGreaterThanOrEqualTo(delayedRequest.dueNanos());
	}

	private interface AsyncCallback {

		void report(AsyncListener listener, AsyncEvent event) throws Exception;

	}

}
