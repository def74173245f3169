package dev.ratelimit.store;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.fixture.Patience;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/**
 * A random history of one subject.
 *
 * @param plans the limits of its plans, one in most cases; a request uses one of them by
 * its id
 * @param steps what happens, in order
 */
public record Sequence(List<Limit> plans, List<Step> steps) {

	private static final long MINUTE_MICROS = 60_000_000;

	/**
	 * A history of one limit.
	 * @param limit the limit
	 * @param steps what happens, in order
	 */
	public Sequence(Limit limit, List<Step> steps) {
		this(List.of(limit), steps);
	}

	/** The limit, or that of the first plan. */
	public Limit limit() {
		return this.plans.get(0);
	}

	/** The limit of the plan that a request uses. */
	public Limit limit(Step step) {
		return this.plans.get(step.id() % this.plans.size());
	}

	/**
	 * One thing that happens.
	 *
	 * @param advanceMicros how far the clock moves before it
	 * @param id names the request; a small number of ids, so that many are used again
	 * @param cost the cost of the request
	 * @param release whether the permits are released; else they are requested
	 * @param ahead how many more are requested if there is room
	 */
	public record Step(long advanceMicros, int id, long cost, boolean release, long ahead) {

		Step(long advanceMicros, int id, long cost, boolean release) {
			this(advanceMicros, id, cost, release, 0);
		}

	}

	/**
	 * Histories in which time stands still or moves on, and costs may be above the
	 * thresholds.
	 * @return the histories
	 */
	public static Arbitrary<Sequence> forward() {
		return of(advances(), 9);
	}

	/**
	 * Histories in which the clock steps back as well. No cost is above a threshold: a
	 * log that is idle is then always written to, and what has passed stays passed.
	 * @return the histories
	 */
	public static Arbitrary<Sequence> withStepsBack() {
		Arbitrary<Long> back = Arbitraries.longs().between(-4 * MINUTE_MICROS, -1);
		return of(Arbitraries.frequencyOf(Tuple.of(7, advances()), Tuple.of(1, back)), 1);
	}

	private static Arbitrary<Sequence> of(Arbitrary<Long> advances, int maxCost) {
		return of(limits(), advances, costs(maxCost));
	}

	/**
	 * Histories of other limits, in which the clock may step back.
	 * @param limits the limits
	 * @param stepsBack whether the clock steps back
	 * @param costs the costs; where it does, none may be above a threshold
	 * @return the histories
	 */
	public static Arbitrary<Sequence> of(Arbitrary<Limit> limits, boolean stepsBack, Arbitrary<Long> costs) {
		return ofPlans(limits.map(List::of), stepsBack, costs);
	}

	/**
	 * Histories of clients that use several plans.
	 * @param plans the limits of the plans of a rule
	 * @param stepsBack whether the clock steps back
	 * @param costs the costs; where it does, none may be above a threshold
	 * @return the histories
	 */
	public static Arbitrary<Sequence> ofPlans(Arbitrary<List<Limit>> plans, boolean stepsBack, Arbitrary<Long> costs) {
		Arbitrary<Long> back = Arbitraries.longs().between(-4 * MINUTE_MICROS, -1);
		return ofPlans(plans,
				stepsBack ? Arbitraries.frequencyOf(Tuple.of(7, advances()), Tuple.of(1, back)) : advances(), costs);
	}

	private static Arbitrary<Sequence> of(Arbitrary<Limit> limits, Arbitrary<Long> advances, Arbitrary<Long> costs) {
		return ofPlans(limits.map(List::of), advances, costs);
	}

	static Arbitrary<Sequence> ofPlans(Arbitrary<List<Limit>> plans, Arbitrary<Long> advances, Arbitrary<Long> costs) {
		Arbitrary<Step> steps = Combinators
			.combine(advances, Arbitraries.integers().between(0, 30), costs,
					Arbitraries.frequency(Tuple.of(6, false), Tuple.of(1, true)), Arbitraries
						.frequencyOf(Tuple.of(4, Arbitraries.just(0L)), Tuple.of(1, Arbitraries.longs().between(1, 9))))
			.as(Step::new);
		return Combinators.combine(plans, steps.list().ofMinSize(1).ofMaxSize(50)).as(Sequence::new);
	}

	/** Windows are long beside the test, so that no key expires in real time. */
	private static Arbitrary<Limit> limits() {
		Arbitrary<List<String>> thresholds = Combinators
			.combine(Arbitraries.integers().between(1, 6), Arbitraries.integers().between(1, 8),
					Arbitraries.integers().between(1, 9), Arbitraries.integers().between(1, 3))
			.as((one, two, three,
					count) -> Stream.of(one + "/60s", two + "/90s", three + "/180s").limit(count).toList());
		return Combinators.combine(thresholds, Arbitraries.of(true, false))
			.as((texts, counting) -> counting ? Limits.countingRefusals("random", texts.toArray(String[]::new))
					: Limits.of("random", texts.toArray(String[]::new)));
	}

	private static Arbitrary<Long> advances() {
		return Arbitraries.frequencyOf(Tuple.of(4, Arbitraries.just(0L)),
				Tuple.of(3, Arbitraries.longs().between(1, 5)),
				Tuple.of(3, Arbitraries.longs().between(1, MINUTE_MICROS)),
				Tuple.of(3, Arbitraries.of(MINUTE_MICROS - 1, MINUTE_MICROS, MINUTE_MICROS + 1, MINUTE_MICROS / 2)),
				Tuple.of(1, Arbitraries.longs().between(1, 4 * MINUTE_MICROS)));
	}

	public static Arbitrary<Long> costs(int max) {
		return Arbitraries.frequencyOf(Tuple.of(6, Arbitraries.just(1L)),
				Tuple.of(2, Arbitraries.longs().between(1, Math.max(1, max))));
	}

	/**
	 * Replay the history.
	 * @param store the store
	 * @param clock the store's clock
	 * @param subject the subject of the requests
	 * @return what the store returned for each step
	 */
	public List<Object> replay(RateLimitStore store, MovableClock clock, Subject subject) {
		List<Object> results = new ArrayList<>();
		Map<Integer, List<Long>> receipts = new HashMap<>();
		Map<Integer, Long> granted = new HashMap<>();
		for (Step step : this.steps) {
			clock.advanceMicros(step.advanceMicros());
			AcquireRequest request = new AcquireRequest(limit(step), subject, step.cost(),
					new PermitId("p" + step.id()), step.cost() + step.ahead());
			if (step.release()) {
				AcquiredPermits taken = new AcquiredPermits(request.of(granted.getOrDefault(step.id(), step.cost())),
						receipts.getOrDefault(step.id(), List.of()));
				results.add(store.settle(List.of(Settlement.release(taken)), Patience.LONG).await().get(0));
			}
			else {
				AcquireResult result = store.acquire(List.of(request), Patience.LONG).await().get(0);
				if (result instanceof AcquireResult.Admitted admitted) {
					receipts.put(step.id(), admitted.receipts());
				}
				if (result instanceof AcquireResult.Reserved reserved) {
					receipts.put(step.id(), reserved.receipts());
					granted.put(step.id(), reserved.permits());
				}
				results.add(result);
			}
		}
		return results;
	}

}
