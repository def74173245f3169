package dev.ratelimit.web;

import java.time.Duration;

import dev.ratelimit.fixture.MovableClock;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * When a store that does not answer is no longer called.
 */
class BacklogBreakerTests {

	private static final Duration PAUSE = Duration.ofSeconds(1);

	private final MovableClock clock = new MovableClock();

	private final BacklogBreaker breaker = new BacklogBreaker();

	private void report(boolean... answers) {
		for (boolean answer : answers) {
			this.breaker.record(answer, this.clock.nanoTime());
		}
	}

	private boolean mayCall() {
		return this.breaker.tryAcquire(this.clock.nanoTime());
	}

	@Test
	@DisplayName("three unanswered calls in a row: no call for a second, and then one")
	void threeUnansweredCallsAreFollowedByAPause() {
		assertThat(mayCall()).as("at the start").isTrue();
		report(false, false);
		assertThat(mayCall()).as("after two").isTrue();
		report(false);
		assertThat(mayCall()).as("after three").isFalse();
		this.clock.advance(PAUSE.minusNanos(1000));
		assertThat(mayCall()).as("for a second").isFalse();
		this.clock.advanceMicros(1);
		assertThat(mayCall()).as("and no longer").isTrue();
		assertThat(mayCall()).as("while the one call is under way").isFalse();
	}

	@Test
	void oneAnswerBetweenTheThreeIsEnough() {
		report(false, false, true, false, false);
		assertThat(mayCall()).isTrue();
	}

	@Test
	void eachFurtherUnansweredCallIsFollowedByAPause() {
		report(false, false, false);
		this.clock.advance(PAUSE);
		report(false);
		assertThat(mayCall()).isFalse();
		this.clock.advance(PAUSE);
		report(true);
		report(false, false);
		assertThat(mayCall()).as("begins anew after an answer").isTrue();
	}

}
