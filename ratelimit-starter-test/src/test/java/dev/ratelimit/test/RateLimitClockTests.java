package dev.ratelimit.test;

import java.time.Duration;
import java.time.Instant;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class RateLimitClockTests {

	private final RateLimitClock clock = new RateLimitClock();

	@Test
	void theClockStartsAtAMidnight() {
		assertThat(this.clock.instant()).isEqualTo("2000-01-01T00:00:00Z");
	}

	@Test
	void theClockIsMovedForward() {
		this.clock.advance(Duration.ofMillis(1500));
		this.clock.advance(Duration.ZERO);
		assertThat(this.clock.instant()).isEqualTo("2000-01-01T00:00:01.500Z");
	}

	@Test
	void theClockIsSetForwardOrBack() {
		this.clock.set(Instant.parse("2030-01-01T00:00:00Z"));
		this.clock.set(Instant.parse("1999-12-31T23:59:59Z"));
		assertThat(this.clock).hasToString("RateLimitClock at 1999-12-31T23:59:59Z");
	}

	@Test
	void theClockDoesNotAdvanceBackwards() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.clock.advance(Duration.ofSeconds(-1)))
			.withMessage("advance(PT-1S) would step back. Use set(Instant) if that is what the test is about");
	}

}
