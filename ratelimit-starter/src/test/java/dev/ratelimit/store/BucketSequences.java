package dev.ratelimit.store;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.RLThreshold;
import dev.ratelimit.rule.Refill;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/**
 * Random histories of buckets.
 */
public final class BucketSequences {

	private static final long MINUTE_MICROS = 60_000_000;

	/** Odd numbers that have nothing in common with their windows. */
	private static final List<RLThreshold> LARGE = List.of(new RLThreshold(999_983, Duration.ofDays(1)),
			new RLThreshold(97, Duration.ofDays(399), 19_400),
			new RLThreshold(34_559_999_999_999L, Duration.ofDays(400), 5_000_000_000_000L));

	private BucketSequences() {
	}

	/**
	 * Histories in which time stands still or moves on, and costs may be above the
	 * capacity.
	 * @param algorithm a bucket
	 * @param refill how a token bucket is refilled
	 * @return the histories
	 */
	public static Arbitrary<Sequence> forward(Algorithm algorithm, Refill refill) {
		return sequences(small(algorithm, refill), advances(), Arbitraries
			.frequencyOf(Tuple.of(6, Arbitraries.just(1L)), Tuple.of(2, Arbitraries.longs().between(1, 9))));
	}

	/**
	 * Histories in which the clock steps back as well. No cost is above a capacity.
	 * @param algorithm a bucket
	 * @param refill how a token bucket is refilled
	 * @return the histories
	 */
	public static Arbitrary<Sequence> withStepsBack(Algorithm algorithm, Refill refill) {
		Arbitrary<Long> back = Arbitraries.longs().between(-4 * MINUTE_MICROS, -1);
		return sequences(small(algorithm, refill), Arbitraries.frequencyOf(Tuple.of(7, advances()), Tuple.of(1, back)),
				Arbitraries.just(1L));
	}

	/**
	 * Histories in which products are far above what a Lua number counts exactly.
	 * @param algorithm a bucket
	 * @return the histories
	 */
	public static Arbitrary<Sequence> large(Algorithm algorithm) {
		Arbitrary<Limit> limits = Arbitraries.of(1, 2, 3)
			.map((count) -> limit(algorithm, Refill.CONTINUOUS, LARGE.subList(3 - count, 3)));
		Arbitrary<Long> advances = Arbitraries.frequencyOf(Tuple.of(2, Arbitraries.longs().between(0, 3)),
				Tuple.of(2, Arbitraries.longs().between(1, Duration.ofDays(1).toMillis() * 1000)),
				Tuple.of(1, Arbitraries.longs().between(1, Duration.ofDays(60).toMillis() * 1000)));
		Arbitrary<Long> costs = Arbitraries.frequencyOf(Tuple.of(2, Arbitraries.longs().between(1, 999_983)),
				Tuple.of(2, Arbitraries.longs().between(1, 9_700)),
				Tuple.of(2, Arbitraries.longs().between(1, 4_999_999_999_999L)));
		return sequences(limits, advances, costs);
	}

	private static Arbitrary<Sequence> sequences(Arbitrary<Limit> limits, Arbitrary<Long> advances,
			Arbitrary<Long> costs) {
		Arbitrary<Sequence.Step> steps = Combinators
			.combine(advances, Arbitraries.integers().between(0, 30), costs,
					Arbitraries.frequency(Tuple.of(5, false), Tuple.of(2, true)))
			.as(Sequence.Step::new);
		return Combinators.combine(limits, steps.list().ofMinSize(1).ofMaxSize(50)).as(Sequence::new);
	}

	/** Windows are long beside the test, so that no key expires in real time. */
	private static Arbitrary<Limit> small(Algorithm algorithm, Refill refill) {
		Arbitrary<Long> bursts = Arbitraries.longs().between(1, 9);
		return Combinators
			.combine(Arbitraries.longs().between(1, 7), bursts, Arbitraries.longs().between(1, 7), bursts,
					Arbitraries.longs().between(1, 7), bursts, Arbitraries.integers().between(1, 3))
			.as((one, burst, two, nextBurst, three, lastBurst, count) -> limit(algorithm, refill,
					Stream
						.of(new RLThreshold(one, Duration.ofMinutes(5), burst),
								new RLThreshold(two, Duration.ofMinutes(7), nextBurst),
								new RLThreshold(three, Duration.ofMinutes(14), lastBurst))
						.limit(count)
						.toList()));
	}

	private static Limit limit(Algorithm algorithm, Refill refill, List<RLThreshold> thresholds) {
		return Limits.bucket("random-bucket", algorithm, refill, thresholds);
	}

	private static Arbitrary<Long> advances() {
		return Arbitraries.frequencyOf(Tuple.of(4, Arbitraries.just(0L)),
				Tuple.of(3, Arbitraries.longs().between(1, 5)),
				Tuple.of(4, Arbitraries.longs().between(1, MINUTE_MICROS)),
				Tuple.of(3, Arbitraries.of(MINUTE_MICROS - 1, MINUTE_MICROS, MINUTE_MICROS + 1, 5 * MINUTE_MICROS)),
				Tuple.of(2, Arbitraries.longs().between(1, 6 * MINUTE_MICROS)));
	}

}
