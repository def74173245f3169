package dev.ratelimit.queue.worker;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.limiter.CompiledAllowance.CompiledBlocked;
import dev.ratelimit.limiter.CompiledRule;
import dev.ratelimit.limiter.CompiledRules;
import dev.ratelimit.limiter.DecisionListener;
import dev.ratelimit.limiter.Permit;
import dev.ratelimit.limiter.RequestDecision;
import dev.ratelimit.limiter.RequestLimiter;
import dev.ratelimit.limiter.RuleRequest;
import dev.ratelimit.limiter.SubjectEncoder;
import dev.ratelimit.queue.Enqueue;
import dev.ratelimit.queue.QueuedSubject;
import dev.ratelimit.queue.StoredRequest;
import dev.ratelimit.store.Subject;

/**
 * Acquires the permits of queued requests from rules, in the same bucket as any other
 * request.
 */
public final class HandlingPermits {

	/** The wait while the time is unknown: the rule is missing for now. */
	private static final Duration A_WHILE = Duration.ofMinutes(1);

	/** No decision is counted here: each request was counted when it was enqueued. */
	private static final DecisionListener NO_LISTENER = DecisionListener.none();

	private static final Duration SHORTEST = Duration.ofMillis(1);

	private final Supplier<CompiledRules> rules;

	private final RequestLimiter limiter;

	private final SubjectEncoder subjects;

	/**
	 * Create it.
	 * @param rules the rules in force, read anew for each call
	 * @param limiter decides
	 * @param subjects encodes keys as subjects
	 */
	public HandlingPermits(Supplier<CompiledRules> rules, RequestLimiter limiter, SubjectEncoder subjects) {
		this.rules = rules;
		this.limiter = limiter;
		this.subjects = subjects;
	}

	/** The rules that enqueue requests. */
	List<String> rulesWithQueue() {
		return this.rules.get()
			.enabled()
			.stream()
			.filter((rule) -> rule.config().enforcement().onLimit() instanceof Enqueue)
			.map(CompiledRule::id)
			.toList();
	}

	/** The enqueue settings of a rule, while it enqueues requests. */
	Optional<Enqueue> terms(String rule) {
		return this.rules.get()
			.find(rule)
			.map((found) -> found.config().enforcement().onLimit())
			.filter(Enqueue.class::isInstance)
			.map(Enqueue.class::cast);
	}

	/** Acquire the permits of a request. No acquire is tried if it can never succeed. */
	Permission acquire(QueuedSubject of, StoredRequest request) {
		Optional<CompiledRule> rule = this.rules.get().find(of.rule());
		if (rule.isEmpty()) {
			return new NotYet(A_WHILE);
		}
		RuleRequest known = this.subjects.bySubject(rule.get(), new Subject(of.text()), request.plan());
		RuleRequest ruleRequest = new RuleRequest(known.rule(), known.allowance(), known.subject(), request.cost());
		if (!ruleRequest.mayEverBeAdmitted()) {
			return new Never((ruleRequest.allowance() instanceof CompiledBlocked) ? "blocked" : "cost above the limit");
		}
		RequestDecision decision = this.limiter.decide(List.of(ruleRequest), this.limiter.newBudget(), NO_LISTENER)
			.await();
		return decision.isAdmitted() ? new Granted(decision.permits()) : new NotYet(wait(decision.refusals().get(0)));
	}

	private static Duration wait(RateLimitDecision refusal) {
		Duration wait = refusal.retryAfter().orElse(A_WHILE);
		return (wait.compareTo(SHORTEST) > 0) ? wait : SHORTEST;
	}

	/** Release permits that were not used. */
	void release(Granted granted) {
		Object ignored = this.limiter.release(granted.permits(), this.limiter.newBudget()).await();
	}

	/** The result of acquiring permits. */
	sealed interface Permission {

	}

	/**
	 * The request may be handled.
	 *
	 * @param permits the permits it acquired
	 */
	record Granted(List<Permit> permits) implements Permission {
	}

	/**
	 * Waiting cannot help, as far as the rule is known now.
	 *
	 * @param reason why: a fixed word of ours
	 */
	record Never(String reason) implements Permission {
	}

	/**
	 * The rule has no permits for it.
	 *
	 * @param time how long until the next try
	 */
	record NotYet(Duration time) implements Permission {
	}

}
