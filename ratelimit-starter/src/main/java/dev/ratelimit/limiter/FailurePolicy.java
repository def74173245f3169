package dev.ratelimit.limiter;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimitDecision.Allowed;
import dev.ratelimit.RateLimitDecision.Source;
import dev.ratelimit.RateLimitDecision.Unavailable;
import dev.ratelimit.limiter.CompiledAllowance.CompiledLimited;
import dev.ratelimit.limiter.source.Slot;
import dev.ratelimit.rule.OnStoreFailure;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.Usage;

/**
 * Applies {@code on-store-failure} to what the store could not decide: {@code local} as a
 * stage of its own, {@code allow} and {@code deny} when the decision is made. Does not
 * wait, because the fallback counts on the heap. Tested by {@code FallbackTests}.
 *
 * @param fallback counts while the store is unavailable
 */
record FailurePolicy(Fallback fallback) {

	/**
	 * The time at which the store recovers is unknown, and clients should not retry at a
	 * high rate meanwhile.
	 */
	private static final Duration LEAST_WAIT = Duration.ofSeconds(1);

	/**
	 * Decide what was not counted on this instance: the rule does not ask for that, or
	 * the application itself is overloaded.
	 * @param rule the rule
	 * @param failed why the store could not decide
	 * @return the decision
	 */
	static RateLimitDecision decide(RLConfig rule, AcquireResult.Failed failed) {
		return (rule.enforcement().onStoreFailure() == OnStoreFailure.ALLOW)
				? new Allowed(rule.id(), Source.NONE, List.of()) : new Unavailable(rule.id(), wait(failed));
	}

	/** The time until the store is called again. */
	private static Duration wait(AcquireResult.Failed failed) {
		return (failed.retryAfter().compareTo(LEAST_WAIT) > 0) ? failed.retryAfter() : LEAST_WAIT;
	}

	/**
	 * Count on this instance, for rules with {@code local}, what the store could not
	 * decide.
	 * @param attempts the results of the store
	 */
	void countLocally(List<RuleAttempt> attempts) {
		for (int i = 0; i < attempts.size(); i++) {
			Slot slot = attempts.get(i).slot();
			RuleRequest ruleRequest = attempts.get(i).ruleRequest();
			if (slot != null && slot.result() instanceof AcquireResult.Failed failed && isLocal(ruleRequest, failed)) {
				answer(slot, (CompiledLimited) ruleRequest.allowance(), wait(failed));
			}
		}
	}

	/**
	 * Requests of an overloaded application are still counted in the store. If they were
	 * counted here as well, they would be admitted twice.
	 */
	private static boolean isLocal(RuleRequest ruleRequest, AcquireResult.Failed failed) {
		return ruleRequest.rule().config().enforcement().onStoreFailure() == OnStoreFailure.LOCAL
				&& failed.failure() != StoreFailure.OVERLOADED;
	}

	private void answer(Slot slot, CompiledLimited limited, Duration wait) {
		AcquireRequest request = slot.request();
		Optional<Limit> share = limited.limit(this.fallback.share().get());
		if (share.isEmpty()) {
			Usage nothing = untilTheStoreIsBack(new Usage(0, micros(wait), Usage.NEVER), limited, request, wait);
			slot.answer(new AcquireResult.Refused(Collections.nCopies(limited.limit().size(), nothing)), Source.LOCAL,
					this.fallback, request);
			return;
		}
		AcquireRequest locally = new AcquireRequest(share.get(), request.subject(), request.cost(), request.permit(),
				request.cost(), request.turn());
		AcquireResult result = this.fallback.store().acquire(List.of(locally), wait).await().get(0);
		if (result instanceof AcquireResult.Refused refused) {
			result = new AcquireResult.Refused(refused.usage()
				.stream()
				.map((usage) -> untilTheStoreIsBack(usage, limited, request, wait))
				.toList());
		}
		slot.answer(result, Source.LOCAL, this.fallback, locally);
	}

	/** A cost above the share of this instance may not be above the whole limit. */
	private static Usage untilTheStoreIsBack(Usage usage, CompiledLimited limited, AcquireRequest request,
			Duration wait) {
		boolean tooMuchForAShareOnly = usage.retryMicros() == Usage.NEVER
				&& request.cost() <= limited.limit().largestCost();
		return tooMuchForAShareOnly ? new Usage(usage.remaining(), usage.resetMicros(), micros(wait)) : usage;
	}

	private static long micros(Duration duration) {
		return duration.toNanos() / 1000;
	}

}
