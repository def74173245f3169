package dev.ratelimit.store;

import java.util.List;
import java.util.stream.Stream;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.Rounding;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/**
 * Random histories of fixed windows and of sliding-window counters.
 */
public final class CounterSequences {

	private static final long LARGEST = 999_999_999_999_999L;

	private CounterSequences() {
	}

	/**
	 * Histories in which time stands still or moves on, and costs may be above the
	 * thresholds.
	 * @param algorithm the algorithm
	 * @return the histories
	 */
	public static Arbitrary<Sequence> forward(Algorithm algorithm) {
		return Sequence.of(limits(algorithm), false, Sequence.costs(9));
	}

	/**
	 * Histories in which the clock steps back as well, and every cost is 1.
	 * @param algorithm the algorithm
	 * @return the histories
	 */
	public static Arbitrary<Sequence> withStepsBack(Algorithm algorithm) {
		return Sequence.of(limits(algorithm), true, Sequence.costs(1));
	}

	/**
	 * Histories whose products of permits and microseconds are far above 2^53.
	 * @param algorithm the algorithm
	 * @return the histories
	 */
	public static Arbitrary<Sequence> ofTrillions(Algorithm algorithm) {
		Arbitrary<Long> trillions = Arbitraries.longs().between(LARGEST / 3, LARGEST).withoutEdgeCases();
		Arbitrary<List<String>> thresholds = trillions.list()
			.ofSize(2)
			.map((counts) -> List.of(counts.get(0) + "/60s", counts.get(1) + "/90s"));
		return Sequence.of(limits(algorithm, thresholds), false, Arbitraries.longs().between(1, LARGEST / 4));
	}

	/** Windows are long beside the test, so that no key expires in real time. */
	private static Arbitrary<Limit> limits(Algorithm algorithm) {
		return limits(algorithm,
				Combinators
					.combine(Arbitraries.integers().between(1, 6), Arbitraries.integers().between(1, 8),
							Arbitraries.integers().between(1, 9), Arbitraries.integers().between(1, 3))
					.as((one, two, three,
							count) -> Stream.of(one + "/60s", two + "/90s", three + "/180s").limit(count).toList()));
	}

	private static Arbitrary<Limit> limits(Algorithm algorithm, Arbitrary<List<String>> thresholds) {
		return Combinators.combine(thresholds, Arbitraries.of(Rounding.class))
			.as((texts,
					rounding) -> Limits.of(RLConfig.builder("random")
						.algorithm(algorithm)
						.rounding((algorithm == Algorithm.SLIDING_WINDOW_COUNTER) ? rounding : Rounding.DOWN)
						.thresholds(texts.toArray(String[]::new))));
	}

}
