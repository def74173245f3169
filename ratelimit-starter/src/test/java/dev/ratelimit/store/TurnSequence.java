package dev.ratelimit.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.fixture.Patience;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Allowance;
import dev.ratelimit.rule.OnLimit;
import dev.ratelimit.rule.Plans;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLConfigBuilder;
import dev.ratelimit.rule.RLThreshold;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/**
 * A random history of one log: some requests are for permits and others for turns.
 *
 * @param limit the limit
 * @param steps what happens, in order
 */
public record TurnSequence(Limit limit, List<Step> steps) {

	private static final long MINUTE_MICROS = 60_000_000;

	/** Every step requests what its kind names. */
	public static final Predicate<Kind> ALL_KINDS = (kind) -> kind == Kind.TURN || kind == Kind.RELEASE_TURN;

	/** Every step requests a turn. */
	public static final Predicate<Kind> TURNS_ONLY = (kind) -> true;

	/** What happens in a step. */
	public enum Kind {

		TAKE, TURN, RELEASE_TAKEN, RELEASE_TURN

	}

	/**
	 * One thing that happens.
	 *
	 * @param advanceMicros how far the clock moves before it
	 * @param kind what it is
	 * @param id names the request; a small number of ids, so that some are used again
	 * @param cost the cost of the request
	 * @param range how long a turn can be put off
	 */
	public record Step(long advanceMicros, Kind kind, int id, long cost, WaitRange range) {
	}

	/**
	 * Permits that were granted.
	 *
	 * @param atMicros when, in microseconds
	 * @param cost how many
	 * @param turn whether they were waited for
	 */
	public record Grant(long atMicros, long cost, boolean turn) {
	}

	/**
	 * Histories in which the clock never steps back, and costs may be above the
	 * thresholds.
	 * @return the histories
	 */
	public static Arbitrary<TurnSequence> forward() {
		return of(logs(), advances(), 6);
	}

	/**
	 * Histories in which the clock steps back as well. No cost is above a threshold, as
	 * in {@link Sequence#withStepsBack()}.
	 * @return the histories
	 */
	public static Arbitrary<TurnSequence> withStepsBack() {
		Arbitrary<Long> back = Arbitraries.longs().between(-4 * MINUTE_MICROS, -1);
		return of(logs(), Arbitraries.frequencyOf(Tuple.of(9, advances()), Tuple.of(1, back)), 1);
	}

	/**
	 * The same of leaky buckets that delay.
	 * @return the histories
	 */
	public static Arbitrary<TurnSequence> ofBuckets() {
		return of(buckets(), advances(), 6);
	}

	/**
	 * The same of leaky buckets that delay, in which the clock steps back as well.
	 * @return the histories
	 */
	public static Arbitrary<TurnSequence> ofBucketsWithStepsBack() {
		Arbitrary<Long> back = Arbitraries.longs().between(-4 * MINUTE_MICROS, -1);
		return of(buckets(), Arbitraries.frequencyOf(Tuple.of(9, advances()), Tuple.of(1, back)), 1);
	}

	private static Arbitrary<Limit> buckets() {
		Arbitrary<RLThreshold> minutes = Combinators
			.combine(Arbitraries.longs().between(1, 7), Arbitraries.longs().between(1, 9))
			.as((count, burst) -> new RLThreshold(count, Duration.ofMinutes(1), burst));
		Arbitrary<RLThreshold> hours = Combinators
			.combine(Arbitraries.longs().between(7, 700), Arbitraries.longs().between(1, 9))
			.as((count, burst) -> new RLThreshold(count, Duration.ofHours(1), burst));
		return Combinators.combine(minutes, hours, Arbitraries.of(true, false))
			.as((one, other,
					both) -> Limits.of(RLConfig.builder("random")
						.algorithm(Algorithm.LEAKY_BUCKET)
						.onLimit(OnLimit.DELAY)
						.thresholds(both ? List.of(one, other) : List.of(one))));
	}

	private static Arbitrary<Limit> logs() {
		return Combinators
			.combine(Arbitraries.integers().between(1, 5), Arbitraries.integers().between(1, 8),
					Arbitraries.of(true, false), Arbitraries.of(true, false))
			.as((one, two, both, ofPlan) -> {
				RLThreshold minute = new RLThreshold(one, Duration.ofSeconds(60));
				List<RLThreshold> thresholds = both ? List.of(minute, new RLThreshold(two, Duration.ofSeconds(90)))
						: List.of(minute);
				RLConfigBuilder rule = RLConfig.builder("random");
				return ofPlan ? ofPlan(rule.thresholds("1/1s"), thresholds) : Limits.of(rule.thresholds(thresholds));
			});
	}

	/** Clients without the plan have a shorter window. */
	private static Limit ofPlan(RLConfigBuilder rule, List<RLThreshold> thresholds) {
		Map<String, Allowance> plan = Map.of("long", new Allowance.Limited(thresholds));
		return Limits.ofPlans(rule.plans(Plans.by("principal", plan)).build()).get(1);
	}

	private static Arbitrary<TurnSequence> of(Arbitrary<Limit> limits, Arbitrary<Long> advances, int maxCost) {
		Arbitrary<Kind> kinds = Arbitraries.frequency(Tuple.of(4, Kind.TAKE), Tuple.of(6, Kind.TURN),
				Tuple.of(1, Kind.RELEASE_TAKEN), Tuple.of(1, Kind.RELEASE_TURN));
		Arbitrary<Step> steps = Combinators
			.combine(advances, kinds, Arbitraries.integers().between(0, 30), Sequence.costs(maxCost), waits())
			.as(Step::new);
		return Combinators.combine(limits, steps.list().ofMinSize(1).ofMaxSize(50)).as(TurnSequence::new);
	}

	private static Arbitrary<WaitRange> waits() {
		Arbitrary<Long> notBefore = Arbitraries.frequencyOf(Tuple.of(4, Arbitraries.just(0L)),
				Tuple.of(1, Arbitraries.longs().between(1, 2 * MINUTE_MICROS)));
		Arbitrary<Long> places = Arbitraries.frequencyOf(Tuple.of(1, Arbitraries.longs().between(1, 3)),
				Tuple.of(3, Arbitraries.just(Long.MAX_VALUE)));
		return Combinators.combine(notBefore, Arbitraries.longs().between(0, 6 * MINUTE_MICROS), places)
			.as((first, more, maxQueue) -> new WaitRange(first, first + more, maxQueue));
	}

	private static Arbitrary<Long> advances() {
		return Arbitraries.frequencyOf(Tuple.of(4, Arbitraries.just(0L)),
				Tuple.of(3, Arbitraries.longs().between(1, 5)),
				Tuple.of(3, Arbitraries.longs().between(1, MINUTE_MICROS / 2)),
				Tuple.of(1, Arbitraries.of(MINUTE_MICROS - 1, MINUTE_MICROS, MINUTE_MICROS + 1)));
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
		Map<String, List<Long>> receipts = new HashMap<>();
		for (Step step : this.steps) {
			clock.advanceMicros(step.advanceMicros());
			boolean turn = step.kind() == Kind.TURN || step.kind() == Kind.RELEASE_TURN;
			AcquireRequest request = request(subject, step, "p" + step.id(), turn);
			if (step.kind() == Kind.TAKE || step.kind() == Kind.TURN) {
				AcquireResult result = store.acquire(List.of(request), Patience.LONG).await().get(0);
				if (result instanceof AcquireResult.Turn given) {
					receipts.put("turn" + step.id(), given.receipts());
				}
				else if (result instanceof AcquireResult.Admitted admitted) {
					receipts.put("take" + step.id(), admitted.receipts());
				}
				results.add(result);
			}
			else {
				List<Long> shown = receipts.getOrDefault((turn ? "turn" : "take") + step.id(), List.of());
				results
					.add(store.settle(List.of(Settlement.release(new AcquiredPermits(request, shown))), Patience.LONG)
						.await()
						.get(0));
			}
		}
		return results;
	}

	/**
	 * Replay the history, but with a name of its own for every request, and nothing
	 * released. In a bucket that delays, a request that does not wait is for a turn at
	 * once, as the limiter does.
	 * @param store the store
	 * @param clock the store's clock
	 * @param subject the subject of the requests
	 * @param turns which steps request a turn
	 * @return the permits that were granted, in the order in which they were requested
	 */
	public List<Grant> grants(RateLimitStore store, MovableClock clock, Subject subject, Predicate<Kind> turns) {
		List<Grant> grants = new ArrayList<>();
		int next = 0;
		for (Step step : this.steps) {
			clock.advanceMicros(step.advanceMicros());
			boolean turn = turns.test(step.kind());
			AcquireRequest request = request(subject, step, "q" + next++, turn);
			if (!turn && this.limit.paces()) {
				request = new AcquireRequest(this.limit, subject, step.cost(), request.permit(), step.cost(),
						Optional.of(new WaitRange(0, 0)));
			}
			AcquireResult result = store.acquire(List.of(request), Patience.LONG).await().get(0);
			if (result instanceof AcquireResult.Admitted) {
				grants.add(new Grant(clock.micros(), step.cost(), false));
			}
			else if (result instanceof AcquireResult.Turn given) {
				grants.add(new Grant(clock.micros() + given.waitMicros(), step.cost(), true));
			}
		}
		return grants;
	}

	private AcquireRequest request(Subject subject, Step step, String id, boolean turn) {
		WaitRange range = this.limit.paces() ? new WaitRange(0, step.range().notAfterMicros()) : step.range();
		return new AcquireRequest(this.limit, subject, step.cost(), new PermitId(id), step.cost(),
				turn ? Optional.of(range) : Optional.empty());
	}

}
