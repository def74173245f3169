package dev.ratelimit.queue.web;

import java.time.Duration;

import dev.ratelimit.fixture.MovableClock;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * When a store that does not answer is no longer called.
 */
class QueueBreakerTests {

	private static final Duration PAUSE = Duration.ofSeconds(1);

	private final MovableClock clock = new MovableClock();

	private final QueueBreaker breaker = new QueueBreaker();

	private void report(boolean... answers) {
		for (boolean answer : answers) {
			this.breaker.record(answer, this.clock.nanoTime());
		}
	}

	private boolean isOpen() {
		return this.breaker.isOpen(this.clock.nanoTime());
	}

	@Test
	@DisplayName("three unanswered calls in a row: no call for a second, and then one")
	void threeUnansweredCallsAreFollowedByAPause() {
		assertThat(isOpen()).as("at the start").isFalse();
		report(false, false);
		assertThat(isOpen()).as("after two").isFalse();
		report(false);
		assertThat(isOpen()).as("after three").isTrue();
		this.clock.advance(PAUSE.minusNanos(1000));
		assertThat(isOpen()).as("for a second").isTrue();
		this.clock.advanceMicros(1);
		assertThat(isOpen()).as("and no longer").isFalse();
	}

	@Test
	void oneAnswerBetweenTheThreeIsEnough() {
		report(false, false, true, false, false);
		assertThat(isOpen()).isFalse();
	}

	@Test
	void eachFurtherUnansweredCallIsFollowedByAPause() {
		report(false, false, false);
		this.clock.advance(PAUSE);
		report(false);
		assertThat(isOpen()).isTrue();
		this.clock.advance(PAUSE);
		report(true);
		report(false, false);
		assertThat(isOpen()).as("begins anew after an answer").isFalse();
	}

}
