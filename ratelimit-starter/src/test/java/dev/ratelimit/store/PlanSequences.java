package dev.ratelimit.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Allowance;
import dev.ratelimit.rule.Plans;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLThreshold;
import dev.ratelimit.rule.Refill;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/**
 * Random histories of a client that uses several plans of a rule, in turn and in any
 * order.
 */
public final class PlanSequences {

	private static final long SECOND = 1_000_000;

	private PlanSequences() {
	}

	/**
	 * Histories in which time moves on, no cost is above a threshold and no two plans
	 * share a window.
	 * @return the histories
	 */
	public static Arbitrary<Sequence> ofOtherWindows() {
		return of(false, List.of(List.of(60), List.of(90, 180), List.of(300)), Algorithm.values());
	}

	/**
	 * Histories of plans that share some windows.
	 * @param stepsBack whether the clock steps back
	 * @return the histories
	 */
	public static Arbitrary<Sequence> ofAnyWindows(boolean stepsBack) {
		return ofAnyWindows(stepsBack, Algorithm.values());
	}

	/**
	 * The same of some algorithms.
	 * @param stepsBack whether the clock steps back
	 * @param algorithms the algorithms
	 * @return the histories
	 */
	public static Arbitrary<Sequence> ofAnyWindows(boolean stepsBack, Algorithm... algorithms) {
		return of(stepsBack, List.of(List.of(60, 120), List.of(60), List.of(90, 120, 300)), algorithms);
	}

	/**
	 * Histories of a rule that is changed again and again: its burst or threshold, its
	 * window, and whether it has another one.
	 * @param algorithms any but the log, which keeps what its longest window needs
	 * @return the histories
	 */
	public static Arbitrary<Sequence> ofChangedRules(Algorithm... algorithms) {
		Arbitrary<List<Long>> numbers = Arbitraries.longs().between(3, 9).list().ofSize(4);
		return Sequence.ofPlans(Combinators.combine(Arbitraries.of(algorithms), numbers).as((algorithm, some) -> {
			RLThreshold minute = threshold(algorithm, 60, some.get(0));
			RLThreshold minutes = threshold(algorithm, 120, some.get(1));
			return List.of(changed(algorithm, minute), changed(algorithm, minutes), changed(algorithm, minute, minutes),
					changed(algorithm, threshold(algorithm, 60, some.get(2))),
					changed(algorithm, threshold(algorithm, 120, some.get(3))));
		}), false, Sequence.costs(3));
	}

	/** A bucket of a window always flows alike, see below. */
	private static RLThreshold threshold(Algorithm algorithm, int seconds, long number) {
		Duration window = Duration.ofSeconds(seconds);
		return algorithm.isBucket() ? new RLThreshold(5, window).withBurst(number) : new RLThreshold(number, window);
	}

	private static Limit changed(Algorithm algorithm, RLThreshold... thresholds) {
		return Limits.of(RLConfig.builder("changed").algorithm(algorithm).thresholds(List.of(thresholds)).build());
	}

	/**
	 * The same, in which the clock stands at the very ends of windows most of the time,
	 * and steps back by little and by much.
	 * @param algorithms the algorithms
	 * @return the histories
	 */
	public static Arbitrary<Sequence> aroundTheEnds(Algorithm... algorithms) {
		Arbitrary<Long> advances = Arbitraries.frequencyOf(Tuple.of(6, Arbitraries.just(0L)),
				Tuple.of(3, Arbitraries.of(-1L, 1L, SECOND - 1, -SECOND, SECOND)),
				Tuple.of(3, Arbitraries.of(30 * SECOND, 60 * SECOND - 1, 60 * SECOND, 120 * SECOND - 1, 120 * SECOND)));
		return Sequence.ofPlans(plansOf(List.of(List.of(60, 120), List.of(60)), algorithms), advances,
				Sequence.costs(1));
	}

	private static Arbitrary<Sequence> of(boolean stepsBack, List<List<Integer>> windows, Algorithm... algorithms) {
		return Sequence.ofPlans(plansOf(windows, algorithms), stepsBack, Sequence.costs(stepsBack ? 1 : 3));
	}

	private static Arbitrary<List<Limit>> plansOf(List<List<Integer>> windows, Algorithm... algorithms) {
		Arbitrary<List<Long>> numbers = Arbitraries.longs().between(3, 9).list().ofSize(12);
		return Combinators
			.combine(Arbitraries.of(algorithms), Arbitraries.of(Refill.values()), numbers, Arbitraries.of(true, false),
					Arbitraries.integers().between(2, windows.size()))
			.as((algorithm, refill, some, counting, size) -> plans(algorithm, refill, some, counting,
					windows.subList(0, size)));
	}

	private static List<Limit> plans(Algorithm algorithm, Refill refill, List<Long> numbers, boolean counting,
			List<List<Integer>> windows) {
		boolean byInterval = algorithm == Algorithm.TOKEN_BUCKET && refill == Refill.INTERVAL;
		boolean hasBurst = algorithm.isBucket() && !byInterval;
		Map<String, Allowance> plans = new LinkedHashMap<>();
		Map<Integer, Long> rates = new HashMap<>();
		int next = 0;
		for (List<Integer> each : windows) {
			List<RLThreshold> thresholds = new ArrayList<>();
			for (int seconds : each) {
				// Buckets of one window flow alike here: the twin drops them when they
				// are empty at the rate of the last plan, as a key expires, but not on
				// this clock.
				long count = hasBurst ? rates.computeIfAbsent(seconds, (any) -> numbers.get(seconds / 30 % 6))
						: numbers.get(next);
				RLThreshold threshold = new RLThreshold(count, Duration.ofSeconds(seconds));
				thresholds.add(hasBurst ? threshold.withBurst(numbers.get(next + 6)) : threshold);
				next++;
			}
			plans.put("p" + plans.size(), new Allowance.Limited(thresholds));
		}
		Allowance.Limited standard = (Allowance.Limited) plans.remove("p0");
		return Limits.ofPlans(RLConfig.builder("plans")
			.algorithm(algorithm)
			.refill(byInterval ? Refill.INTERVAL : Refill.CONTINUOUS)
			.countRejected(counting && algorithm == Algorithm.SLIDING_WINDOW_LOG)
			.thresholds(standard.thresholds())
			.plans(Plans.by("principal", plans))
			.build());
	}

}
