package dev.ratelimit.limiter;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimitDecision.Allowed;
import dev.ratelimit.RateLimitDecision.Rejected;
import dev.ratelimit.RateLimitDecision.Source;
import dev.ratelimit.limiter.stage.KnownWindows;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Fate;
import dev.ratelimit.store.Inspection;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.Usage;
import org.jspecify.annotations.Nullable;

/**
 * Creates decisions from results. Tested by {@code RuleRateLimiterTests}.
 */
final class DecisionFactory {

	/** Stands for a result that the store must not return for a request. */
	private static final AcquireResult.Failed UNUSABLE = new AcquireResult.Failed(StoreFailure.ERROR, Fate.UNKNOWN);

	private DecisionFactory() {
	}

	/**
	 * Create the decision for one result.
	 * @param rule the rule
	 * @param limit what the rule allows the client; its limits appear in the decision
	 * even if only a part of them was requested
	 * @param counted the limit by which it was counted
	 * @param result the result
	 * @param source where it is from
	 * @return the decision
	 */
	static RateLimitDecision judge(RLConfig rule, Limit limit, Limit counted, @Nullable AcquireResult result,
			Source source) {
		if (result instanceof AcquireResult.Admitted admitted) {
			return new Allowed(rule.id(), source, KnownWindows.admitted(limit, counted, admitted.usage()));
		}
		if (result instanceof AcquireResult.Turn turn) {
			return new Allowed(rule.id(), source, KnownWindows.admitted(limit, counted, turn.usage()),
					Duration.of(turn.waitMicros(), ChronoUnit.MICROS));
		}
		if (result instanceof AcquireResult.Refused refused) {
			return new Rejected(rule.id(), source, KnownWindows.refused(limit, refused.usage()));
		}
		return FailurePolicy.decide(rule, (result instanceof AcquireResult.Failed failed) ? failed : UNUSABLE);
	}

	/** What the inspected store would decide about a request for one permit. */
	static RateLimitDecision peeked(RLConfig rule, Limit limit, Inspection inspection, Source source) {
		if (inspection instanceof Inspection.NotAvailable failed) {
			return FailurePolicy.decide(rule, new AcquireResult.Failed(failed.failure(), Fate.UNKNOWN));
		}
		List<Usage> usages = ((Inspection.Found) inspection).usage();
		return usages.stream().anyMatch(Usage::refuses)
				? new Rejected(rule.id(), source, KnownWindows.refused(limit, usages))
				: new Allowed(rule.id(), source, KnownWindows.admitted(limit, limit, usages));
	}

}
