package dev.ratelimit.actuate.insight;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

import dev.ratelimit.store.Subject;

/**
 * Streams of requests: typical ones, and those of an attacker that knows the sketch.
 */
enum Streams {

	/** The n-th client sends one n-th as many requests as the first. */
	ZIPF {

		@Override
		Subject next(int request, SplittableRandom random) {
			return subject((int) Math.pow(CLIENTS, random.nextDouble()));
		}

	},

	/** No client sends a second request. */
	ALL_DISTINCT {

		@Override
		Subject next(int request, SplittableRandom random) {
			return subject(request);
		}

	},

	/** Every client loses its counter just before its next request. */
	ROUND_ROBIN {

		@Override
		Subject next(int request, SplittableRandom random) {
			return subject(request % 40);
		}

	},

	/** A few heavy clients first, then only others. */
	HEAVY_THEN_GONE {

		@Override
		Subject next(int request, SplittableRandom random) {
			return subject((request < 5000) ? request % 5 : request);
		}

	},

	/** One heavy client hides in a crowd. */
	NEEDLE {

		@Override
		Subject next(int request, SplittableRandom random) {
			return subject((request % 10 == 0) ? 0 : 1 + request);
		}

	};

	private static final int CLIENTS = 100_000;

	abstract Subject next(int request, SplittableRandom random);

	List<Subject> take(int requests, long seed) {
		SplittableRandom random = new SplittableRandom(seed);
		List<Subject> all = new ArrayList<>(requests);
		for (int i = 0; i < requests; i++) {
			all.add(next(i, random));
		}
		return all;
	}

	static Subject subject(int number) {
		return new Subject("s" + number);
	}

}
