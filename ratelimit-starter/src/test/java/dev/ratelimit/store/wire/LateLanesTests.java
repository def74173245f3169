package dev.ratelimit.store.wire;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Lanes that wait for late replies where no thread can.
 */
class LateLanesTests {

	private final AtomicInteger givenUp = new AtomicInteger();

	private final LateLanes.Late lane = new LateLanes.Late() {

		@Override
		public boolean proceed() {
			return false;
		}

		@Override
		public void giveUp() {
			LateLanesTests.this.givenUp.incrementAndGet();
		}

	};

	@Test
	void aLaneForWhichThereIsNoThreadIsGivenUp() {
		try (LateLanes late = new LateLanes(new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS,
				new LinkedBlockingQueue<>(1), LateLanesTests::noThread))) {
			late.add(this.lane);
			assertThat(this.givenUp).hasValue(1);
		}
	}

	@Test
	void allAreGivenUpWhenTheStoreIsClosed() {
		LateLanes late = new LateLanes(BackgroundTasks.threadForOneTask("test-late"));
		late.add(this.lane);
		late.close();
		OneConnection.await(() -> this.givenUp.get() == 1);
		late.add(this.lane);
		assertThat(this.givenUp).hasValue(2);
	}

	private static Thread noThread(Runnable task) {
		throw new OutOfMemoryError("of a test");
	}

}
