package dev.ratelimit.limiter.lease;

import java.util.Random;

import dev.ratelimit.fixture.MovableClock;

/**
 * One thread, in which everything happens at the same time: while an instance waits,
 * others act.
 */
final class VirtualTime {

	private static final int MOST_AT_ONCE = 4;

	private final Random random;

	private final MovableClock clock = new MovableClock();

	private final Runnable anything;

	private int atOnce;

	/**
	 * Create the time.
	 * @param random chooses
	 * @param anything the action that runs meanwhile
	 */
	VirtualTime(Random random, Runnable anything) {
		this.random = random;
		this.anything = anything;
	}

	MovableClock clock() {
		return this.clock;
	}

	long micros() {
		return this.clock.micros();
	}

	/** Let up to so much time pass, in which others may act. */
	void pass(long mostMicros) {
		long end = micros() + (long) (mostMicros * this.random.nextDouble());
		while (this.atOnce < MOST_AT_ONCE && end > micros() && this.random.nextInt(4) == 0) {
			this.clock.advanceMicros((long) ((end - micros()) * this.random.nextDouble()));
			this.atOnce++;
			this.anything.run();
			this.atOnce--;
		}
		if (end > micros()) {
			this.clock.advanceMicros(end - micros());
		}
	}

}
