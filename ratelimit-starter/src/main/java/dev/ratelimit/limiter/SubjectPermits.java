package dev.ratelimit.limiter;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.limiter.CompiledAllowance.CompiledBlocked;
import dev.ratelimit.spi.RulePermits;
import dev.ratelimit.store.Subject;

/**
 * Acquires the permits of requests of which only the subject is known. Tested by
 * {@code SubjectPermitsTests}.
 */
public final class SubjectPermits implements RulePermits {

	/** The wait while no time is known. */
	private static final Duration A_WHILE = Duration.ofMinutes(1);

	/** The wait for a rule that is missing, which may be about to come into force. */
	private static final Duration SOON = Duration.ofSeconds(1);

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
	public SubjectPermits(Supplier<CompiledRules> rules, RequestLimiter limiter, SubjectEncoder subjects) {
		this.rules = rules;
		this.limiter = limiter;
		this.subjects = subjects;
	}

	@Override
	public Acquired acquire(String rule, Subject subject, Optional<String> plan, long cost) {
		Optional<CompiledRule> found = this.rules.get().find(rule);
		if (found.isEmpty()) {
			return new NotYet(SOON);
		}
		RuleRequest known = this.subjects.bySubject(found.get(), subject, plan);
		RuleRequest ruleRequest = new RuleRequest(known.rule(), known.allowance(), known.subject(), cost);
		if (!ruleRequest.mayEverBeAdmitted()) {
			return new Never((ruleRequest.allowance() instanceof CompiledBlocked) ? "blocked" : "cost above the limit");
		}
		RequestDecision decision = this.limiter.decide(List.of(ruleRequest), this.limiter.newBudget(), NO_LISTENER)
			.await();
		return decision.isAdmitted() ? new Granted(() -> release(decision.permits()))
				: new NotYet(wait(decision.refusals().get(0)));
	}

	private static Duration wait(RateLimitDecision refusal) {
		Duration wait = refusal.retryAfter().orElse(A_WHILE);
		return (wait.compareTo(SHORTEST) > 0) ? wait : SHORTEST;
	}

	private void release(List<Permit> permits) {
		Object ignored = this.limiter.release(permits, this.limiter.newBudget()).await();
	}

}
