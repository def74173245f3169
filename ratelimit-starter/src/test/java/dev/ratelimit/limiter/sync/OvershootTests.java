package dev.ratelimit.limiter.sync;

import java.util.List;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Mode;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.store.Limit;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Whatever happens in whatever order, synced instances admit no more above a limit than
 * the documentation says.
 */
class OvershootTests {

	private static final int EVENTS = 400;

	/** A window began while a request of the one before was on its way to the store. */
	@Example
	void whatIsUnderWayIsNotAdmittedOnceMoreInTheNextWindow() {
		isNeverMoreThanTheFormula(limit(Algorithm.FIXED_WINDOW, List.of("100/3s"), 100), 1, 38, 17329);
	}

	@Property(tries = 1500, edgeCases = EdgeCasesMode.NONE)
	void isNeverMoreThanTheFormula(@ForAll("limits") Limit limit, @ForAll @IntRange(min = 1, max = 6) int instances,
			@ForAll @IntRange(min = 10, max = 70) int hurry, @ForAll long seed) {
		Fleet fleet = new Fleet(limit, instances, seed);
		for (int i = 0; i < EVENTS; i++) {
			fleet.step(hurry);
		}
		for (int i = 0; i < limit.size(); i++) {
			assertThat(fleet.truth().mostAbove(i)).as("%s on %d instances", limit, instances)
				.isLessThanOrEqualTo(Fleet.mostAbove(limit, i, instances));
		}
	}

	@Provide
	Arbitrary<Limit> limits() {
		return Arbitraries.of(Algorithm.FIXED_WINDOW, Algorithm.SLIDING_WINDOW_COUNTER)
			.flatMap((algorithm) -> Arbitraries.of(List.of("40/1s"), List.of("100/3s"), List.of("30/1s", "60/4s"))
				.flatMap((thresholds) -> Arbitraries.of(10, 50, 100)
					.map((percent) -> limit(algorithm, thresholds, percent))));
	}

	private static Limit limit(Algorithm algorithm, List<String> thresholds, int overshootPercent) {
		return Limit.of(RLConfig.builder("r")
			.algorithm(algorithm)
			.thresholds(thresholds.toArray(String[]::new))
			.mode(new Mode.Synced(Mode.SYNCED.interval(), overshootPercent))
			.build());
	}

}
