package dev.ratelimit.web.servlet;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.fixture.Patience;
import dev.ratelimit.fixture.RecordingListener;
import dev.ratelimit.support.Waiter;
import dev.ratelimit.web.DelayedRequest;
import dev.ratelimit.web.DelayedRequest.Phase;
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
 * Waiting without a thread, driven by the events of the container.
 */
class DelayedRequestsTests {

	private final MovableClock clock = new MovableClock();

	private final RecordingListener listener = new RecordingListener();

	private final DelayedRequests delayedRequests = new DelayedRequests(
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
		this.delayedRequests.close();
	}

	private DelayedRequest waitFor(Duration time) {
		long now = this.clock.nanoTime();
		return new DelayedRequest(List.of("r"), now, now + time.toNanos());
	}

	private void waitWithoutThread(DelayedRequest delayedRequest) {
		this.delayedRequests.waitWithoutThread(delayedRequest, this.request, this.response, this.left::incrementAndGet);
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
	void theTimerReleasesNoRequestEarlyByTheClock() {
		DelayedRequest delayedRequest = waitFor(Duration.ofMillis(5));
		waitWithoutThread(delayedRequest);
		assertThat(WebAsyncUtils.getAsyncManager(this.request).hasConcurrentResult()).isFalse();
		this.clock.advance(Duration.ofMillis(5));
		awaitDispatch();
		assertThat(this.delayedRequests.resume(delayedRequest, this.request)).isTrue();
		assertThat(WebAsyncUtils.getAsyncManager(this.request).hasConcurrentResult()).isFalse();
		assertThat(this.listener.events()).containsExactly("r waits", "r waited");
	}

	@Test
	void itNeverFollowsTheTimeoutOfTheContainer() {
		waitWithoutThread(waitFor(Duration.ofHours(2)));
		assertThat(async().getTimeout()).isEqualTo(Duration.ofHours(2).plusSeconds(30).toMillis());
	}

	@Test
	void aRequestThatTimesOutHasNotHadItsTurn() throws Exception {
		DelayedRequest delayedRequest = waitFor(Duration.ofHours(1));
		waitWithoutThread(delayedRequest);
		this.clock.advance(Duration.ofHours(1).plusSeconds(31));
		report(AsyncListener::onTimeout);
		awaitDispatch();
		assertThat(this.delayedRequests.resume(delayedRequest, this.request)).isFalse();
		assertThat(delayedRequest.isAt(Phase.OVER)).isTrue();
		assertThat(this.listener.events()).containsExactly("r waits", "r waited");
	}

	@Test
	void aRequestWhoseConnectionFailsLeavesOnce() throws Exception {
		waitWithoutThread(waitFor(Duration.ofHours(1)));
		report(AsyncListener::onError);
		report(AsyncListener::onComplete);
		report(AsyncListener::onComplete);
		assertThat(this.left).hasValue(1);
		assertThat(this.listener.events()).containsExactly("r waits", "r waited");
	}

	@Test
	void aRequestThatHadItsTurnDoesNotLeaveWhenItEnds() throws Exception {
		DelayedRequest delayedRequest = waitFor(Duration.ofMillis(1));
		waitWithoutThread(delayedRequest);
		this.clock.advance(Duration.ofMillis(1));
		awaitDispatch();
		this.delayedRequests.resume(delayedRequest, this.request);
		report(AsyncListener::onComplete);
		assertThat(this.left).hasValue(0);
	}

	@Test
	void aRequestThatArrivesWhenTheApplicationStopsDoesNotWait() {
		this.delayedRequests.stop();
		DelayedRequest delayedRequest = waitFor(Duration.ofHours(1));
		waitWithoutThread(delayedRequest);
		awaitDispatch();
		assertThat(this.delayedRequests.resume(delayedRequest, this.request)).isFalse();
		assertThat(this.delayedRequests.waitOnThread(waitFor(Duration.ofHours(1)))).isFalse();
	}

	@Test
	void anApplicationThatStartsAgainLetsRequestsWait() {
		this.delayedRequests.stop();
		assertThat(this.delayedRequests.isRunning()).isFalse();
		this.delayedRequests.start();
		assertThat(this.delayedRequests.waitOnThread(waitFor(Duration.ofHours(1)))).isTrue();
	}

	@Test
	void aThreadThatIsInterruptedDoesNotWait() {
		Thread.currentThread().interrupt();
		assertThat(this.delayedRequests.waitOnThread(waitFor(Duration.ofHours(1)))).isFalse();
		assertThat(Thread.interrupted()).isTrue();
	}

	@Test
	void aRequestWhoseTurnCameOnTheWayComesBackAtOnce() {
		DelayedRequest delayedRequest = waitFor(Duration.ofMillis(1));
		this.clock.advance(Duration.ofMillis(1));
		waitWithoutThread(delayedRequest);
		assertThat(WebAsyncUtils.getAsyncManager(this.request).hasConcurrentResult()).isTrue();
		assertThat(this.delayedRequests.resume(delayedRequest, this.request)).isTrue();
	}

	@Test
	void aRequestThatArrivesDuringACloseLeaves() {
		this.delayedRequests.close();
		this.delayedRequests.start();
		DelayedRequest delayedRequest = waitFor(Duration.ofHours(1));
		waitWithoutThread(delayedRequest);
		awaitDispatch();
		assertThat(this.delayedRequests.resume(delayedRequest, this.request)).isFalse();
		assertThat(delayedRequest.isAt(Phase.OVER)).isTrue();
	}

	@Test
	void aRequestThatCannotBeAsynchronousWaitsOnItsThread() {
		this.request.setAsyncSupported(false);
		DelayedRequest delayedRequest = waitFor(Duration.ofSeconds(1));
		assertThat(this.delayedRequests.mayWaitWithoutThread(delayedRequest, this.request)).isFalse();
		assertThat(this.delayedRequests.waitOnThread(delayedRequest)).isTrue();
		assertThat(this.clock.nanoTime()).isGreaterThanOrEqualTo(delayedRequest.dueNanos());
	}

	private interface AsyncCallback {

		void report(AsyncListener listener, AsyncEvent event) throws Exception;

	}

}
