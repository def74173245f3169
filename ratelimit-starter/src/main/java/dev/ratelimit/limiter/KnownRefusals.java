package dev.ratelimit.limiter;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimitDecision.Allowed;
import dev.ratelimit.RateLimitDecision.Rejected;
import dev.ratelimit.RateLimitDecision.Source;
import dev.ratelimit.limiter.CompiledAllowance.Blocked;
import dev.ratelimit.limiter.CompiledAllowance.Limited;
import dev.ratelimit.limiter.outage.Denial;
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
	 * @param asks the rules that apply to a request
	 * @param nowNanos the time on the monotonic clock
	 * @return what those rules decided that refuse; empty where the store is to be asked
	 */
	List<Decided> of(List<Ask> asks, long nowNanos) {
		List<Decided> refused = List.of();
		for (int i = 0; i < asks.size(); i++) {
			Ask ask = asks.get(i);
			RateLimitDecision refusal = refusal(ask, nowNanos);
			if (refusal != null) {
				Decided one = new Decided(ask, refusal);
				refused = refused.isEmpty() ? List.of(one) : joined(refused, one);
			}
		}
		return refused;
	}

	private static List<Decided> joined(List<Decided> some, Decided another) {
		List<Decided> all = new ArrayList<>(some);
		all.add(another);
		return all;
	}

	private @Nullable RateLimitDecision refusal(Ask ask, long nowNanos) {
		if (ask.allowance() instanceof Blocked && !ask.rule().config().shadow()) {
			return unasked(ask);
		}
		if (ask.allowance() instanceof Limited limited && ask.repeatsRefusals()) {
			Optional<Denial> denial = this.denyCache.find(limited.limit(), ask.subject(), ask.cost(), nowNanos);
			if (denial.isPresent()) {
				return Judgement.repeat(ask.rule().config(), limited, denial.get(), nowNanos);
			}
		}
		return null;
	}

	/**
	 * What a rule decides that needs no store.
	 * @param ask the rule, which blocks the one who asks or does not limit him
	 * @return the decision
	 */
	static RateLimitDecision unasked(Ask ask) {
		return (ask.allowance() instanceof Blocked) ? new Rejected(ask.rule().id(), Source.NONE, List.of())
				: new Allowed(ask.rule().id(), Source.NONE, List.of());
	}

}
