package dev.ratelimit.support;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class BackgroundThreadTests {

	private final Semaphore rounds = new Semaphore(0);

	private boolean runs() throws InterruptedException {
		return this.rounds.tryAcquire(30, TimeUnit.SECONDS);
	}

	@Test
	void whatWasRepeatedIsRepeatedAgainAfterARestart() throws InterruptedException {
		BackgroundThread thread = new BackgroundThread("ratelimit-any");
		thread.every(Duration.ofMillis(1), this.rounds::release);
		assertThat(runs()).isTrue();
		thread.close();
		this.rounds.drainPermits();
		thread.restart();
		assertThat(runs()).isTrue();
		assertThat(runs()).isTrue();
		thread.close();
	}

	@Test
	void nothingRunsWhileItIsClosed() {
		BackgroundThread thread = new BackgroundThread("ratelimit-any");
		thread.every(Duration.ofMillis(1), this.rounds::release);
		thread.close();
		this.rounds.drainPermits();
		thread.soon(this.rounds::release);
		thread.close();
		assertThat(this.rounds.availablePermits()).isZero();
	}

}
