package dev.ratelimit.limiter;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimitDecision.Allowed;
import dev.ratelimit.RateLimitDecision.Quota;
import dev.ratelimit.RateLimitDecision.Rejected;
import dev.ratelimit.RateLimitDecision.Source;
import dev.ratelimit.limiter.CompiledAllowance.CompiledLimited;
import dev.ratelimit.limiter.outage.CachedRefusal;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Fate;
import dev.ratelimit.store.Inspection;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.Usage;
import org.jspecify.annotations.Nullable;

/**
 * Creates decisions from results.
 */
final class DecisionFactory {

	/** Stands for a result that the store must not return for a request. */
	private static final AcquireResult.Failed UNUSABLE = new AcquireResult.Failed(StoreFailure.ERROR, Fate.UNKNOWN);

	private static final Optional<Duration> NO_WAIT = Optional.of(Duration.ZERO);

	private DecisionFactory() {
	}

	/**
	 * Create the decision for one result.
	 * @param rule the rule
	 * @param limited what the rule allows the client; its limits appear in the decision
	 * even if only a part of them was requested
	 * @param counted the limit by which it was counted
	 * @param result the result
	 * @param source where it is from
	 * @return the decision
	 */
	static RateLimitDecision judge(RLConfig rule, CompiledLimited limited, Limit counted,
			@Nullable AcquireResult result, Source source) {
		if (result instanceof AcquireResult.Admitted admitted) {
			return new Allowed(rule.id(), source, admission(limited, counted, admitted.usage()));
		}
		if (result instanceof AcquireResult.Turn turn) {
			return new Allowed(rule.id(), source, admission(limited, counted, turn.usage()), micros(turn.waitMicros()));
		}
		if (result instanceof AcquireResult.Refused refused) {
			return new Rejected(rule.id(), source, refusal(limited, refused.usage()));
		}
		return FailurePolicy.decide(rule, (result instanceof AcquireResult.Failed failed) ? failed : UNUSABLE);
	}

	/** What the inspected store would decide about a request for one permit. */
	static RateLimitDecision peeked(RLConfig rule, CompiledLimited limited, Inspection inspection, Source source) {
		if (inspection instanceof Inspection.NotAvailable failed) {
			return FailurePolicy.decide(rule, new AcquireResult.Failed(failed.failure(), Fate.UNKNOWN));
		}
		List<Usage> usages = ((Inspection.Found) inspection).usage();
		return usages.stream().anyMatch(Usage::refuses) ? new Rejected(rule.id(), source, refusal(limited, usages))
				: new Allowed(rule.id(), source, admission(limited, limited.limit(), usages));
	}

	/** A refusal that is repeated from memory. */
	static RateLimitDecision repeat(RLConfig rule, CompiledLimited limited, CachedRefusal cached, long nowNanos) {
		return new Rejected(rule.id(), Source.MEMORY,
				Quota.computed(cached.usage().size(), (i) -> refusal(limited, i, cached.usage(i, nowNanos))));
	}

	private static List<Quota> admission(CompiledLimited limited, Limit counted, List<Usage> usages) {
		return Quota.computed(usages.size(), (i) -> {
			Usage usage = usages.get(i);
			long next = counted.nextPermitMicros(i, usage);
			return quota(limited, i, usage, NO_WAIT, (next > 0) ? Optional.of(micros(next)) : Optional.empty());
		});
	}

	private static List<Quota> refusal(CompiledLimited limited, List<Usage> usages) {
		return Quota.computed(usages.size(), (i) -> refusal(limited, i, usages.get(i)));
	}

	private static Quota refusal(CompiledLimited limited, int index, Usage usage) {
		Optional<Duration> retryAfter = retryAfter(usage.retryMicros());
		return quota(limited, index, usage, retryAfter, usage.refuses() ? retryAfter : Optional.empty());
	}

	private static Quota quota(CompiledLimited limited, int index, Usage usage, Optional<Duration> retryAfter,
			Optional<Duration> moreAfter) {
		Limit limit = limited.limit();
		return new Quota(limited.policies().get(index), limit.capacity(index), limit.count(index),
				limit.thresholds().get(index).window().length(), usage.remaining(), micros(usage.resetMicros()),
				retryAfter, moreAfter);
	}

	private static Optional<Duration> retryAfter(long micros) {
		if (micros == 0) {
			return NO_WAIT;
		}
		return (micros == Usage.NEVER) ? Optional.empty() : Optional.of(micros(micros));
	}

	private static Duration micros(long micros) {
		return Duration.ofSeconds(micros / 1_000_000, (micros % 1_000_000) * 1000);
	}

}
