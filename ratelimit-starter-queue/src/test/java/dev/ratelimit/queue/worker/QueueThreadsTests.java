package dev.ratelimit.queue.worker;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.fixture.Patience;
import dev.ratelimit.queue.QueuedRequestHandler;
import dev.ratelimit.test.HeapQueues;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What happens to work under way when an application stops.
 */
class QueueThreadsTests {

	private static final Duration SHORT = Duration.ofMillis(100);

	private final Workshop workshop = new Workshop(HeapQueues::on, "1000/1m");

	private final List<String> handled = new CopyOnWriteArrayList<>();

	private final CountDownLatch began = new CountDownLatch(1);

	private final CountDownLatch gate = new CountDownLatch(1);

	/** Handles a request when the gate is open. */
	private QueueThreads threads(Duration grace) {
		this.workshop.handler = (request) -> {
			this.began.countDown();
			this.gate.await();
			this.handled.add(request.text() + "#" + request.attempt());
		};
		return this.workshop.threads(grace);
	}

	@Test
	@Timeout(60)
	void workThatEndsInTimeIsDone() throws InterruptedException {
		QueueThreads threads = threads(Patience.LONG);
		this.workshop.enqueue("hann", "a1", "a2");
		threads.wake();
		this.began.await();
		Thread closer = new Thread(threads::close);
		closer.start();
		Awaitility.await().until(() -> closer.getState() == Thread.State.TIMED_WAITING);
		this.gate.countDown();
		closer.join();
		assertThat(this.handled).as("nothing begins any more").containsExactly("a1#1");
		assertThat(this.workshop.status().queued()).isEqualTo(1);
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	@Timeout(60)
	void workThatDoesNotEndInTimeIsInterruptedAndAnotherInstanceBeginsItAnew(boolean wraps)
			throws InterruptedException {
		QueueThreads threads = threads(SHORT);
		if (wraps) {
			this.workshop.handler = wrapping(this.workshop.handler);
		}
		this.workshop.enqueue("hann", "a1", "a2");
		threads.wake();
		assertThat(this.began.await(Patience.LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
		threads.close();
		assertThat(this.handled).isEmpty();
		this.gate.countDown();
		try (QueueThreads others = threads(Patience.LONG)) {
			others.wake();
			Awaitility.await().until(() -> this.handled.size() == 2);
		}
		assertThat(this.handled).as("the interruption was no attempt").containsExactly("a1#1", "a2#1");
	}

	private static QueuedRequestHandler wrapping(QueuedRequestHandler handler) {
		return (request) -> {
			try {
				handler.handle(request);
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		};
	}

}
