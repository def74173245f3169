package dev.ratelimit.support;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A listener of the application may block. A thread of the limiter never waits for it.
 */
@ExtendWith(OutputCaptureExtension.class)
class ListenersTests {

	private final CountDownLatch entered = new CountDownLatch(1);

	private final CountDownLatch left = new CountDownLatch(1);

	private final List<Integer> received = new CopyOnWriteArrayList<>();

	private final Listeners<Consumer<Integer>> listeners = new Listeners<>("patient listener", List.of(this::receive));

	private void receive(int event) {
		this.entered.countDown();
		try {
			this.left.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		this.received.add(event);
	}

	private void report(int event) {
		this.listeners.report((listener) -> listener.accept(event));
	}

	private void reportInBackground(int count) throws InterruptedException {
		Thread reporting = DaemonThreads.create("ratelimit-any", () -> IntStream.range(0, count).forEach(this::report));
		reporting.start();
		reporting.join(TimeUnit.SECONDS.toMillis(30));
		assertThat(reporting.isAlive()).isFalse();
	}

	@Test
	void aListenerThatBlocksHoldsUpNoThreadOfTheLimiter() throws InterruptedException {
		reportInBackground(100);
		assertThat(this.entered.await(30, TimeUnit.SECONDS)).isTrue();
		assertThat(this.received).isEmpty();
		this.left.countDown();
		Awaitility.await()
			.untilAsserted(() -> assertThat(this.received)
				.containsExactlyElementsOf(IntStream.range(0, 100).boxed().toList()));
	}

	@Test
	void aRequestThatReadsForOthersIsNotHeldUpEither() {
		this.listeners.reportLater((listener) -> listener.accept(1));
		assertThat(this.received).isEmpty();
		this.left.countDown();
		Awaitility.await().untilAsserted(() -> assertThat(this.received).containsExactly(1));
	}

	@Test
	void whatWaitsIsBoundedAndTheFirstDroppedEventIsLogged(CapturedOutput output) throws InterruptedException {
		reportInBackground(1);
		assertThat(this.entered.await(30, TimeUnit.SECONDS)).isTrue();
		reportInBackground(1_500);
		assertThat(output.toString().lines().filter((line) -> line.contains("A patient listener does not return")))
			.singleElement()
			.asString()
			.contains("WARN", "1000 events wait");
		this.left.countDown();
		Awaitility.await().untilAsserted(() -> assertThat(this.received).hasSize(1_001));
	}

	@Test
	void aListenerThatThrowsStopsNeitherOthersNorItsCaller(CapturedOutput output) {
		this.left.countDown();
		Listeners<Consumer<Integer>> both = new Listeners<>("faulty listener",
				List.of(ListenersTests::fail, this::receive));
		both.report((listener) -> listener.accept(1));
		both.report((listener) -> listener.accept(2));
		assertThat(this.received).containsExactly(1, 2);
		assertThat(output.toString().lines().filter((line) -> line.contains("A faulty listener")))
			.as("a warning is logged once, and repeats no message")
			.singleElement()
			.asString()
			.contains("WARN", ListenersTests.class.getName(), AssertionError.class.getName())
			.doesNotContain("10.0.0.1");
	}

	private static void fail(int event) {
		throw new AssertionError("10.0.0.1 at " + event);
	}

	@Test
	void theThreadOfARequestNotifiesAtOnce() {
		this.left.countDown();
		report(7);
		assertThat(this.received).containsExactly(7);
	}

}
