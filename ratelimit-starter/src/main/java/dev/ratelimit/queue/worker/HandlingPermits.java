package dev.ratelimit.queue.worker;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimitDecision.Rejected;
import dev.ratelimit.RateLimitDecision.Unavailable;
import dev.ratelimit.limiter.CompiledAllowance.CompiledBlocked;
import dev.ratelimit.limiter.CompiledRule;
import dev.ratelimit.limiter.CompiledRules;
import dev.ratelimit.limiter.DecisionListener;
import dev.ratelimit.limiter.Permit;
import dev.ratelimit.limiter.RequestDecision;
import dev.ratelimit.limiter.RequestLimiter;
import dev.ratelimit.limiter.RuleRequest;
import dev.ratelimit.limiter.SubjectEncoder;
import dev.ratelimit.queue.QueuedSubject;
import dev.ratelimit.queue.StoredRequest;
import dev.ratelimit.rule.OnLimit;
import dev.ratelimit.store.Subject;

/**
 * Asks rules for the permits of requests that were kept, in the same bucket as any
 * request.
 */
public final class HandlingPermits {

	/** Nobody knows when: the rule is gone for now. */
	private static final Duration A_WHILE = Duration.ofMinutes(1);

	/** Those of requests are counted: each was one already when it was kept. */
	private static final DecisionListener UNHEARD = DecisionListener.none();

	private static final Duration SHORTEST = Duration.ofMillis(1);

	private final Supplier<CompiledRules> rules;

	private final RequestLimiter limiter;

	private final SubjectEncoder subjects;

	/**
	 * Create a desk.
	 * @param rules the rules in force, read once for each question
	 * @param limiter decides
	 * @param subjects knows whom keys name
	 */
	public HandlingPermits(Supplier<CompiledRules> rules, RequestLimiter limiter, SubjectEncoder subjects) {
		this.rules = rules;
		this.limiter = limiter;
		this.subjects = subjects;
	}

	/** The rules that keep requests. */
	List<String> rulesWithQueue() {
		return this.rules.get()
			.enabled()
			.stream()
			.filter((rule) -> rule.config().onLimit() instanceof OnLimit.Enqueue)
			.map(CompiledRule::id)
			.toList();
	}

	/** How a rule keeps requests, while it does. */
	Optional<OnLimit.Enqueue> terms(String rule) {
		return this.rules.get()
			.find(rule)
			.map((found) -> found.config().onLimit())
			.filter(OnLimit.Enqueue.class::isInstance)
			.map(OnLimit.Enqueue.class::cast);
	}

	/** Ask for what a request costs. What can never have it is not asked for. */
	Permission acquire(QueuedSubject of, StoredRequest request) {
		Optional<CompiledRule> rule = this.rules.get().find(of.rule());
		if (rule.isEmpty()) {
			return new NotYet(A_WHILE);
		}
		RuleRequest known = this.subjects.bySubject(rule.get(), new Subject(of.subject()), request.plan());
		RuleRequest ruleRequest = new RuleRequest(known.rule(), known.allowance(), known.subject(), request.cost());
		if (!ruleRequest.mayEverBeAdmitted()) {
			return new Never((ruleRequest.allowance() instanceof CompiledBlocked) ? "blocked" : "cost above the limit");
		}
		RequestDecision verdict = this.limiter.decide(List.of(ruleRequest), this.limiter.newBudget(), UNHEARD);
		return verdict.isAdmitted() ? new Granted(verdict.permits()) : new NotYet(wait(verdict.refusals().get(0)));
	}

	private static Duration wait(RateLimitDecision refusal) {
		if (refusal instanceof Unavailable unavailable) {
			return unavailable.retryAfter();
		}
		Duration wait = (refusal instanceof Rejected rejected) ? rejected.retryAfter().orElse(A_WHILE) : A_WHILE;
		return (wait.compareTo(SHORTEST) > 0) ? wait : SHORTEST;
	}

	/** Give back what was not used. */
	void release(Granted granted) {
		if (!granted.permits().isEmpty()) {
			this.limiter.release(granted.permits(), this.limiter.newBudget());
		}
	}

	/** What a rule says. */
	sealed interface Permission {

	}

	/**
	 * The request may go on.
	 *
	 * @param permits what it took
	 */
	record Granted(List<Permit> permits) implements Permission {
	}

	/**
	 * Waiting cannot help, as far as the rule says now.
	 *
	 * @param reason why: a word of ours
	 */
	record Never(String reason) implements Permission {
	}

	/**
	 * There is no room for it.
	 *
	 * @param time when to ask again
	 */
	record NotYet(Duration time) implements Permission {
	}

}
