package dev.ratelimit.support;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class OncePerMinuteTests {

	/** Close to the end of the range, which a monotonic clock may cross. */
	private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1);

	private final OncePerMinute line = new OncePerMinute(this.nanos::get);

	@Test
	void isDueAtOnceAndThenAMinuteAfterTheLast() {
		assertThat(this.line.tryAcquire()).isTrue();
		this.nanos.addAndGet(Duration.ofMinutes(1).toNanos() - 1);
		assertThat(this.line.tryAcquire()).isFalse();
		this.nanos.incrementAndGet();
		assertThat(this.line.tryAcquire()).isTrue();
		assertThat(this.line.tryAcquire()).isFalse();
	}

}
