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

	/** How many of twenty reads are admitted. */
	private long admitted() {
		return IntStream.range(0, 20).filter((i) -> this.reads.take()).count();
	}

	@Test
	@DisplayName("reads are bounded at once and in each second; a refused read costs nothing")
	void readsAreBoundedAtOnceAndPerSecond() {
		assertThat(admitted()).isEqualTo(10);
		this.clock.advance(Duration.ofMillis(99));
		assertThat(admitted()).isZero();
		this.clock.advance(Duration.ofMillis(1));
		assertThat(admitted()).isEqualTo(1);
		this.clock.advance(Duration.ofMillis(500));
		assertThat(admitted()).isEqualTo(5);
	}

	@Test
	void aLongPauseSavesUpNoReads() {
		assertThat(admitted()).isEqualTo(10);
		this.clock.advance(Duration.ofDays(1));
		assertThat(admitted()).isEqualTo(10);
	}

}
