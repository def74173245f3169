package dev.ratelimit.limiter;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.fixture.Patience;
import dev.ratelimit.limiter.RequestUnderWay.Step;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.PermitId;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.Usage;
import dev.ratelimit.store.memory.MemoryStore;

/**
 * Requests of one subject that were in progress at the same time, each rule on a node of
 * its own, and what the result would have been without those that were refused.
 */
final class Interleaving {

	/** Above any capacity: shows the usage of a rule, and takes nothing. */
	private static final long TOO_MUCH = 1_000_000;

	private static final Subject SUBJECT = new Subject("s");

	private final MovableClock clock = new MovableClock();

	private final Map<String, RateLimitStore> nodes = new HashMap<>();

	private final List<Step> steps = new ArrayList<>();

	/**
	 * Run requests until all are decided.
	 * @param rules the rules of each request, in the order in which their nodes are
	 * reached
	 * @param costs what each of them costs
	 * @param choices which request takes the next step
	 * @param pauseMicros the time between two steps
	 */
	Interleaving(List<List<CompiledRule>> rules, List<Integer> costs, Choices choices, LongSupplier pauseMicros) {
		List<RequestUnderWay> underWay = new ArrayList<>();
		for (int i = 0; i < rules.size(); i++) {
			int cost = costs.get(i);
			rules.get(i).forEach((rule) -> this.nodes.computeIfAbsent(rule.id(), (id) -> new MemoryStore(this.clock)));
			List<RuleRequest> ruleRequests = rules.get(i)
				.stream()
				.map((rule) -> new RuleRequest(rule, rule.standard(), SUBJECT, cost))
				.toList();
			underWay.add(new RequestUnderWay(i, ruleRequests, this.nodes, this.clock));
		}
		while (!underWay.isEmpty()) {
			RequestUnderWay next = underWay.get(choices.among(underWay.size()));
			this.steps.add(next.step());
			this.clock.advanceMicros(pauseMicros.getAsLong());
			underWay.removeIf(RequestUnderWay::isOver);
		}
	}

	List<Step> steps() {
		return this.steps;
	}

	/** Takes of admitted requests that would be refused if there had been no others. */
	List<Step> admittedWrongly() {
		List<Step> wrong = new ArrayList<>();
		Alone alone = new Alone();
		for (Step step : this.steps) {
			if (step.of().isAdmitted() && !(alone.repeat(step) instanceof AcquireResult.Admitted)) {
				wrong.add(step);
			}
		}
		return wrong;
	}

	/**
	 * Refusals that would be admissions if there had been only the admitted requests.
	 */
	List<Step> refusedTooEarly() {
		return this.steps.stream().filter(Step::isRefusal).filter((refusal) -> {
			Alone alone = new Alone();
			this.steps.subList(0, this.steps.indexOf(refusal))
				.stream()
				.filter((step) -> step.of().isAdmitted())
				.forEach(alone::repeat);
			return alone.repeat(refusal) instanceof AcquireResult.Admitted;
		}).toList();
	}

	/**
	 * Whether another request held permits of the same rule that it released later.
	 * @param refusal a refusal
	 * @return whether a request had taken them before, and released them later
	 */
	boolean isWhileAnotherIsUnderWay(Step refusal) {
		int at = this.steps.indexOf(refusal);
		return this.steps.subList(at, this.steps.size())
			.stream()
			.filter((later) -> later.isRelease() && later.rule().equals(refusal.rule()))
			.anyMatch((later) -> this.steps.subList(0, at)
				.stream()
				.anyMatch((earlier) -> earlier.request().equals(later.request())));
	}

	/** Whether permits of the same rule had been released before. */
	boolean isAfterARelease(Step refusal) {
		return this.steps.subList(0, this.steps.indexOf(refusal))
			.stream()
			.anyMatch((earlier) -> earlier.isRelease() && earlier.rule().equals(refusal.rule()));
	}

	/**
	 * The usage of every rule, and what it would be if there had been only the admitted
	 * requests, each window at several times from now on.
	 */
	List<Standing> standings() {
		Alone alone = new Alone();
		this.steps.stream().filter((step) -> step.of().isAdmitted()).forEach(alone::repeat);
		List<Standing> standings = new ArrayList<>();
		for (long pause : new long[] { 0, 1000, 10_000_000, 30_000_000, 60_000_000 }) {
			this.clock.advanceMicros(pause);
			this.steps.stream().map(Step::request).map(AcquireRequest::limit).distinct().forEach((limit) -> {
				AcquireRequest probe = new AcquireRequest(limit, SUBJECT, TOO_MUCH, new PermitId("probe"));
				AcquireResult real = this.nodes.get(limit.rule()).acquire(List.of(probe), Patience.LONG).await().get(0);
				AcquireResult ideal = alone.at(this.clock.micros(), probe);
				for (int i = 0; i < limit.size(); i++) {
					standings.add(new Standing(limit.rule(), ((AcquireResult.Refused) real).usage().get(i),
							((AcquireResult.Refused) ideal).usage().get(i)));
				}
			});
		}
		return standings;
	}

	@Override
	public String toString() {
		return this.steps.toString();
	}

	/**
	 * The usage of one window.
	 *
	 * @param rule the rule
	 * @param real the usage
	 * @param ideal what it would be without the requests that were refused
	 */
	record Standing(String rule, Usage real, Usage ideal) {

	}

	/** Nodes that have received no request yet. */
	private static final class Alone {

		private final MovableClock clock = new MovableClock();

		private final MemoryStore nodes = new MemoryStore(this.clock);

		AcquireResult repeat(Step step) {
			return at(step.micros(), step.request());
		}

		AcquireResult at(long micros, AcquireRequest request) {
			this.clock.advanceMicros(micros - this.clock.micros());
			return this.nodes.acquire(List.of(request), Patience.LONG).await().get(0);
		}

	}

}
