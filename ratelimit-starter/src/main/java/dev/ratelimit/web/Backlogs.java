package dev.ratelimit.web;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

import dev.ratelimit.RateLimitDecision.Quota;
import dev.ratelimit.RateLimitDecision.Rejected;
import dev.ratelimit.RateLimitDecision.Source;
import dev.ratelimit.RateLimitDecision.Unavailable;
import dev.ratelimit.limiter.CompiledAllowance.CompiledLimited;
import dev.ratelimit.limiter.RuleDecision;
import dev.ratelimit.limiter.RuleRequest;
import dev.ratelimit.rule.OnStoreFailure;
import dev.ratelimit.spi.LaterHandler;
import dev.ratelimit.spi.Standing;
import dev.ratelimit.support.WaitBudget;

/**
 * The requests that are handled later, as far as they matter to the decision of another
 * one. Costs a call of the module's store for each rule.
 */
final class Backlogs {

	private final LaterHandler handler;

	private final LongSupplier nanoTime;

	private final Map<String, BacklogBreaker> breakers = new ConcurrentHashMap<>();

	Backlogs(LaterHandler handler, LongSupplier nanoTime) {
		this.handler = handler;
		this.nanoTime = nanoTime;
	}

	/**
	 * Find a rule under which others are to be handled that a request must not overtake.
	 * @param ruleRequests the requests to the rules
	 * @param budget how long the request may still wait
	 * @return the refusal by the first such rule, or by the first one whose backlog is
	 * unknown and that refuses while the store does not answer; with another policy a
	 * request may overtake then
	 */
	Optional<RuleDecision> refusal(List<RuleRequest> ruleRequests, WaitBudget budget) {
		for (RuleRequest ruleRequest : ruleRequests) {
			if (!ruleRequest.mayEverBeAdmitted()) {
				continue; // it would wait in vain, and all others behind it
			}
			Standing standing = standing(ruleRequest, budget);
			if (standing == Standing.BEHIND_OTHERS) {
				return Optional.of(behindOthers(ruleRequest));
			}
			if (standing != Standing.FREE
					&& isRefused(ruleRequest.rule().config().enforcement().onStoreFailure(), standing)) {
				return Optional.of(unavailable(ruleRequest));
			}
		}
		return Optional.empty();
	}

	/** Where this application is overloaded, nothing is counted in memory. */
	private static boolean isRefused(OnStoreFailure policy, Standing unknown) {
		return policy == OnStoreFailure.DENY || (policy == OnStoreFailure.LOCAL && unknown == Standing.OVERLOADED);
	}

	private Standing standing(RuleRequest ruleRequest, WaitBudget budget) {
		long start = this.nanoTime.getAsLong();
		BacklogBreaker breaker = this.breakers.computeIfAbsent(ruleRequest.rule().id(), (rule) -> new BacklogBreaker());
		if (budget.left().isZero() || !breaker.tryAcquire(start)) {
			return Standing.NO_REPLY;
		}
		Standing standing = this.handler.standing(ruleRequest.rule().id(), ruleRequest.subject(), budget.left());
		long end = this.nanoTime.getAsLong();
		budget.spend(end - start, standing != Standing.NO_REPLY);
		if (standing != Standing.OVERLOADED) {
			breaker.record(standing != Standing.NO_REPLY, end);
		}
		return standing;
	}

	/**
	 * The refusal of a request behind others, without a call of the store. No permits are
	 * left, and one window is the longest wait if no others were queued.
	 */
	private static RuleDecision behindOthers(RuleRequest ruleRequest) {
		CompiledLimited limited = (CompiledLimited) ruleRequest.allowance();
		List<Quota> quotas = new ArrayList<>(limited.thresholds().size());
		for (int i = 0; i < limited.thresholds().size(); i++) {
			Duration window = limited.thresholds().get(i).windowLength();
			quotas.add(new Quota(limited.policies().get(i), limited.limit().capacity(i), window, 0, window,
					Optional.of((i == 0) ? window : Duration.ZERO)));
		}
		return new RuleDecision(ruleRequest, new Rejected(ruleRequest.rule().id(), Source.STORE, quotas));
	}

	/** The refusal by a rule while the store does not answer. */
	static RuleDecision unavailable(RuleRequest ruleRequest) {
		return new RuleDecision(ruleRequest, new Unavailable(ruleRequest.rule().id(), Duration.ofSeconds(1)));
	}

}
