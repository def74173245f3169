package dev.ratelimit.queue.web;

import java.time.Duration;
import java.util.stream.IntStream;

import dev.ratelimit.fixture.MovableClock;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class StateReadsTests {

	private final MovableClock clock = new MovableClock();

	private final StateReads reads = new StateReads(10, this.clock::nanoTime);

	/** How many of twenty were let through. */
	private long taken() {
		return IntStream.range(0, 20).filter((i) -> this.reads.take()).count();
	}

	@Test
	@DisplayName("so many at once, and so many in each second; what was refused costs nothing")
	void soManyAtOnceAndInEachSecond() {
		assertThat(taken()).isEqualTo(10);
		this.clock.advance(Duration.ofMillis(99));
		assertThat(taken()).isZero();
		this.clock.advance(Duration.ofMillis(1));
		assertThat(taken()).isEqualTo(1);
		this.clock.advance(Duration.ofMillis(500));
		assertThat(taken()).isEqualTo(5);
	}

	@Test
	void aLongSilenceSavesNothingUp() {
		assertThat(taken()).isEqualTo(10);
		this.clock.advance(Duration.ofDays(1));
		assertThat(taken()).isEqualTo(10);
	}

}
