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
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.Usage;

/**
 * Decides for a rule when the store has failed. Does not wait, because the fallback
 * counts on the heap.
 */
final class FailurePolicy {

	private final Fallback fallback;

	private final DecisionFactory local;

	FailurePolicy(Fallback fallback) {
		this.fallback = fallback;
		this.local = new DecisionFactory(fallback.store(), Source.LOCAL);
	}

	/**
	 * Decide without the store.
	 * @param rule the rule
	 * @param limited what the rule allows the client
	 * @param request the request to the store
	 * @param failed why the store failed
	 * @param taken receives the permits that were acquired from the fallback
	 * @return the decision
	 */
	RateLimitDecision decide(RLConfig rule, CompiledLimited limited, AcquireRequest request,
			AcquireResult.Failed failed, List<Permit> taken) {
		return switch (rule.onStoreFailure()) {
			case ALLOW -> new Allowed(rule.id(), Source.NONE, List.of());
			case DENY -> new Unavailable(rule.id(), wait(failed));
			// Other requests are still counted in the store. If they were counted here as
			// well, they would be admitted twice.
			case LOCAL -> (failed.failure() == StoreFailure.OVERLOADED) ? new Unavailable(rule.id(), wait(failed))
					: local(rule, limited, request, wait(failed), taken);
		};
	}

	/** The time until the store is called again. */
	private static Duration wait(AcquireResult.Failed failed) {
		return (failed.retryAfter().compareTo(DecisionFactory.LEAST_WAIT) > 0) ? failed.retryAfter()
				: DecisionFactory.LEAST_WAIT;
	}

	private RateLimitDecision local(RLConfig rule, CompiledLimited limited, AcquireRequest request, Duration wait,
			List<Permit> taken) {
		Optional<Limit> share = limited.limit(this.fallback.share().get());
		if (share.isEmpty()) {
			Usage nothing = untilTheStoreIsBack(new Usage(0, micros(wait), Usage.NEVER), limited, request, wait);
			return this.local.judge(rule, limited, request,
					new AcquireResult.Refused(Collections.nCopies(limited.limit().size(), nothing)), taken);
		}
		AcquireRequest locally = new AcquireRequest(share.get(), request.subject(), request.cost(), request.permit(),
				request.cost(), request.turn());
		AcquireResult result = this.fallback.store().acquire(List.of(locally), wait).get(0);
		if (result instanceof AcquireResult.Refused refused) {
			result = new AcquireResult.Refused(refused.usage()
				.stream()
				.map((usage) -> untilTheStoreIsBack(usage, limited, request, wait))
				.toList());
		}
		return this.local.judge(rule, limited, locally, result, taken);
	}

	/** A cost above the share of this instance may not be above the whole limit. */
	private static Usage untilTheStoreIsBack(Usage usage, CompiledLimited limited, AcquireRequest request,
			Duration wait) {
		boolean tooMuchForAShareOnly = usage.retryMicros() == Usage.NEVER
				&& request.cost() <= limited.limit().smallestCapacity();
		return tooMuchForAShareOnly ? new Usage(usage.remaining(), usage.resetMicros(), micros(wait)) : usage;
	}

	private static long micros(Duration duration) {
		return duration.toNanos() / 1000;
	}

}
