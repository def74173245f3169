package dev.ratelimit.limiter;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimitDecision.Allowed;
import dev.ratelimit.RateLimitDecision.Rejected;
import dev.ratelimit.RateLimitDecision.Source;
import dev.ratelimit.limiter.CompiledAllowance.CompiledBlocked;
import dev.ratelimit.limiter.CompiledAllowance.CompiledLimited;
import dev.ratelimit.limiter.outage.CachedRefusal;
import dev.ratelimit.limiter.outage.DenyCache;
import org.jspecify.annotations.Nullable;

/**
 * Refuses without asking anything of a store: who is blocked by a rule, or was refused by
 * one just now. A look that finds nothing makes no object, and a refusal those that it
 * tells.
 *
 * @param denyCache remembers refusals of the store
 */
record KnownRefusals(DenyCache denyCache) {

	/**
	 * The refusals that are known.
	 * @param ruleRequests the rules that apply to a request
	 * @param nowNanos the time on the monotonic clock
	 * @return what those rules decided that refuse; empty where the store is to be asked
	 */
	List<RuleDecision> of(List<RuleRequest> ruleRequests, long nowNanos) {
		List<RuleDecision> refused = List.of();
		for (int i = 0; i < ruleRequests.size(); i++) {
			RuleRequest ruleRequest = ruleRequests.get(i);
			RateLimitDecision refusal = refusal(ruleRequest, nowNanos);
			if (refusal != null) {
				RuleDecision one = new RuleDecision(ruleRequest, refusal);
				refused = refused.isEmpty() ? List.of(one) : joined(refused, one);
			}
		}
		return refused;
	}

	private static List<RuleDecision> joined(List<RuleDecision> some, RuleDecision another) {
		List<RuleDecision> all = new ArrayList<>(some);
		all.add(another);
		return all;
	}

	private @Nullable RateLimitDecision refusal(RuleRequest ruleRequest, long nowNanos) {
		if (ruleRequest.allowance() instanceof CompiledBlocked && !ruleRequest.rule().config().shadow()) {
			return unasked(ruleRequest);
		}
		if (ruleRequest.allowance() instanceof CompiledLimited limited && ruleRequest.repeatsRefusals()) {
			Optional<CachedRefusal> denial = this.denyCache.find(limited.limit(), ruleRequest.subject(),
					ruleRequest.cost(), nowNanos);
			if (denial.isPresent()) {
				return DecisionFactory.repeat(ruleRequest.rule().config(), limited, denial.get(), nowNanos);
			}
		}
		return null;
	}

	/**
	 * What a rule decides that needs no store.
	 * @param ruleRequest the rule, which blocks the one who asks or does not limit him
	 * @return the decision
	 */
	static RateLimitDecision unasked(RuleRequest ruleRequest) {
		return (ruleRequest.allowance() instanceof CompiledBlocked)
				? new Rejected(ruleRequest.rule().id(), Source.NONE, List.of())
				: new Allowed(ruleRequest.rule().id(), Source.NONE, List.of());
	}

}
