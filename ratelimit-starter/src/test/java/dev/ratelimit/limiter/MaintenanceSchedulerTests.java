package dev.ratelimit.limiter;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import dev.ratelimit.fixture.Sneaky;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class MaintenanceSchedulerTests {

	private final CountDownLatch rounds = new CountDownLatch(3);

	private final AtomicReference<Thread> thread = new AtomicReference<>();

	private final AtomicInteger ended = new AtomicInteger();

	private void round() {
		this.thread.set(Thread.currentThread());
		this.rounds.countDown();
	}

	private static void fail() {
		throw Sneaky.checked("on purpose");
	}

	@Test
	void aTaskThatThrowsDoesNotStopTheOthers() throws InterruptedException {
		try (MaintenanceScheduler scheduler = start()) {
			assertThat(this.rounds.await(30, TimeUnit.SECONDS)).isTrue();
			assertThat(this.thread.get().isDaemon()).isTrue();
			assertThat(scheduler).isNotNull();
		}
	}

	@Test
	void closeRunsTheLastTaskAndEndsTheThread() throws InterruptedException {
		MaintenanceScheduler scheduler = start();
		assertThat(this.rounds.await(30, TimeUnit.SECONDS)).isTrue();
		scheduler.close();
		assertThat(this.ended).hasValue(1);
		this.thread.get().join(TimeUnit.SECONDS.toMillis(30));
		assertThat(this.thread.get().isAlive()).isFalse();
	}

	private MaintenanceScheduler start() {
		return MaintenanceScheduler.start(Duration.ofMillis(1), List.of(MaintenanceSchedulerTests::fail, this::round),
				this.ended::incrementAndGet);
	}

}
