package dev.ratelimit.limiter;

import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimitDecision.Allowed;
import dev.ratelimit.RateLimitDecision.Rejected;
import dev.ratelimit.RateLimitDecision.Source;
import dev.ratelimit.limiter.CompiledAllowance.CompiledBlocked;
import dev.ratelimit.limiter.CompiledAllowance.CompiledLimited;
import dev.ratelimit.limiter.refusal.CachedRefusal;
import dev.ratelimit.limiter.refusal.DenyCache;
import dev.ratelimit.limiter.source.Slot;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Usage;
import org.jspecify.annotations.Nullable;

/**
 * Refuses without a call of the store: a rule blocks the client, or has refused it just
 * now. A look-up that finds nothing allocates nothing; a refusal allocates only what it
 * reports. Tested by {@code RepeatedRefusalsTests}.
 *
 * @param denyCache caches refusals of the store
 */
record KnownRefusals(DenyCache denyCache) {

	/**
	 * Find the known refusals of a request.
	 * @param ruleRequests the rules that apply to the request
	 * @param nowNanos the time on the monotonic clock
	 * @return the decisions of the rules that refuse; empty if the store has to be called
	 */
	List<RuleDecision> find(List<RuleRequest> ruleRequests, long nowNanos) {
		List<RuleDecision> refused = List.of();
		for (int i = 0; i < ruleRequests.size(); i++) {
			RuleRequest ruleRequest = ruleRequests.get(i);
			RateLimitDecision refusal = find(ruleRequest, nowNanos);
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

	/**
	 * Find the known refusal of a rule.
	 * @param ruleRequest the rule
	 * @param nowNanos the time on the monotonic clock
	 * @return the decision; {@code null} if there is none
	 */
	@Nullable RateLimitDecision find(RuleRequest ruleRequest, long nowNanos) {
		if (ruleRequest.allowance() instanceof CompiledBlocked && !ruleRequest.rule().config().enforcement().shadow()) {
			return withoutStore(ruleRequest);
		}
		if (ruleRequest.allowance() instanceof CompiledLimited limited && ruleRequest.mayRepeatRefusal()) {
			CachedRefusal cached = this.denyCache.find(limited.limit(), ruleRequest.subject(), ruleRequest.cost(),
					nowNanos);
			if (cached != null) {
				return cached.again(nowNanos).decision(ruleRequest.rule().id(), Source.MEMORY);
			}
		}
		return null;
	}

	/**
	 * Cache the refusals of the store that are final. Only strict rules have such
	 * refusals, so no source has made them.
	 * @param attempts the results
	 * @param sentNanos a time before the store was called, such as the start of the
	 * request
	 * @param landedNanos a time after it had responded
	 */
	void cache(List<RuleAttempt> attempts, long sentNanos, long landedNanos) {
		for (int i = 0; i < attempts.size(); i++) {
			Slot slot = attempts.get(i).slot();
			if (slot != null && attempts.get(i).ruleRequest().mayRepeatRefusal()
					&& slot.result() instanceof AcquireResult.Refused refused
					&& !awaitsTurn(slot.request().limit(), refused.usage().get(0))) {
				this.denyCache.remember(slot.request(), refused.usage(), sentNanos, landedNanos);
			}
		}
	}

	/**
	 * Whether the newest entry of a log is dated in the future. A call that code makes
	 * waits for this turn, on any instance, and may release it.
	 */
	private static boolean awaitsTurn(Limit limit, Usage usage) {
		return limit.algorithm() == Algorithm.SLIDING_WINDOW_LOG && usage.resetMicros() > limit.windowMicros(0);
	}

	/** Record that a permit of a rule was released, so its refusals are not final. */
	void permitReleased(String rule, long nowNanos) {
		this.denyCache.permitReleased(rule, nowNanos);
	}

	/**
	 * The decision of a rule that needs no store.
	 * @param ruleRequest the rule, which blocks the client or does not limit it
	 * @return the decision
	 */
	static RateLimitDecision withoutStore(RuleRequest ruleRequest) {
		return (ruleRequest.allowance() instanceof CompiledBlocked)
				? new Rejected(ruleRequest.rule().id(), Source.NONE, List.of())
				: new Allowed(ruleRequest.rule().id(), Source.NONE, List.of());
	}

}
