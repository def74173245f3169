package dev.ratelimit.limiter.insight;

import java.util.SplittableRandom;

/**
 * How the requests of one client arrive, for windows of a second.
 */
enum Arrivals {

	/** One and a half times the threshold, evenly. */
	STEADY {

		@Override
		long pauseMicros(int request, int threshold, SplittableRandom random) {
			return 666_667L / threshold;
		}

	},

	/** As much as the threshold on average, by chance. */
	RANDOM {

		@Override
		long pauseMicros(int request, int threshold, SplittableRandom random) {
			return (long) (-Math.log(1 - random.nextDouble()) * 1_000_000 / threshold);
		}

	},

	/** Twice the threshold at once, every 1.7 windows. */
	BURSTS {

		@Override
		long pauseMicros(int request, int threshold, SplittableRandom random) {
			return (request % (2 * threshold) == 0) ? 1_700_000 : 10;
		}

	},

	/** Just below the threshold. */
	WITHIN {

		@Override
		long pauseMicros(int request, int threshold, SplittableRandom random) {
			return 1_250_000L / threshold;
		}

	};

	abstract long pauseMicros(int request, int threshold, SplittableRandom random);

}
