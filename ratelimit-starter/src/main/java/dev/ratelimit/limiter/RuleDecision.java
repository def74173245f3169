package dev.ratelimit.limiter;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimitDecision.Allowed;
import dev.ratelimit.RateLimitDecision.Quota;
import dev.ratelimit.RateLimitDecision.Rejected;
import dev.ratelimit.limiter.CompiledAllowance.CompiledLimited;
import dev.ratelimit.limiter.DecisionListener.Outcome;
import dev.ratelimit.limiter.source.EstimatedWindows;
import dev.ratelimit.limiter.source.KnownWindows;
import dev.ratelimit.limiter.source.Slot;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Fate;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.WaitRange;
import org.jspecify.annotations.Nullable;

/**
 * The decision of one rule. Tested by {@code RequestLimiterTests}.
 *
 * @param ruleRequest what the rule requested
 * @param decision the decision; for a rule in shadow, what it would have decided
 */
public record RuleDecision(RuleRequest ruleRequest, RateLimitDecision decision) {

	/** Stands for a result that the store must not return for a request. */
	private static final AcquireResult.Failed UNUSABLE = new AcquireResult.Failed(StoreFailure.ERROR, Fate.UNKNOWN);

	/** Make the decision of a rule from the result in its slot. */
	static RuleDecision of(RuleAttempt attempt) {
		return new RuleDecision(attempt.ruleRequest(), decision(attempt.ruleRequest(), attempt.slot()));
	}

	/** The limit of the rule appears also where only a part of it was requested. */
	private static RateLimitDecision decision(RuleRequest ruleRequest, @Nullable Slot slot) {
		if (slot == null || !(ruleRequest.allowance() instanceof CompiledLimited limited)) {
			return KnownRefusals.withoutStore(ruleRequest);
		}
		RLConfig rule = ruleRequest.rule().config();
		EstimatedWindows here = slot.here();
		if (here != null) {
			return here.decision(rule.id(), slot.source());
		}
		Limit counted = slot.counted().limit();
		AcquireResult result = slot.result();
		if (result instanceof AcquireResult.Admitted admitted) {
			return new Allowed(rule.id(), slot.source(),
					KnownWindows.admitted(limited.limit(), counted, admitted.usage()));
		}
		if (result instanceof AcquireResult.Turn turn) {
			return new Allowed(rule.id(), slot.source(), KnownWindows.admitted(limited.limit(), counted, turn.usage()),
					Duration.of(turn.waitMicros(), ChronoUnit.MICROS));
		}
		if (result instanceof AcquireResult.Refused refused) {
			return new Rejected(rule.id(), slot.source(), KnownWindows.refused(limited.limit(), refused.usage()));
		}
		return FailurePolicy.decide(rule, (result instanceof AcquireResult.Failed failed) ? failed : UNUSABLE);
	}

	/**
	 * This decision, as of the arrival of the result. The store counted the wait from an
	 * earlier moment, so the turn may come too late by now. The decision is then a
	 * rejection.
	 * @param elapsed how long the result took
	 * @return the resulting decision
	 */
	RuleDecision after(Duration elapsed) {
		if (this.decision instanceof Allowed allowed && !allowed.delay().isZero()
				&& this.ruleRequest.turn()
					.filter((range) -> isBeyond(range, elapsed.plus(allowed.delay())))
					.isPresent()) {
			return new RuleDecision(this.ruleRequest, tooLate(allowed));
		}
		return this;
	}

	private static boolean isBeyond(WaitRange range, Duration wait) {
		return wait.compareTo(Duration.of(range.notAfterMicros(), ChronoUnit.MICROS)) > 0;
	}

	private static RateLimitDecision tooLate(Allowed allowed) {
		return new Rejected(allowed.rule(), allowed.source(), allowed.quotas()
			.stream()
			.map((quota) -> new Quota(quota.policy(), quota.limit(), quota.threshold(), quota.window(),
					quota.remaining(), quota.resetAfter(), Optional.of(allowed.delay()), Optional.of(allowed.delay())))
			.toList());
	}

	/**
	 * Whether the request has to be refused.
	 * @return whether the rule refused and is not in shadow
	 */
	public boolean refuses() {
		return this.ruleRequest.isRefusedBy(this.decision);
	}

	/**
	 * The outcome of this decision.
	 * @param admitted whether all rules that were evaluated together admitted the request
	 * @return the outcome
	 */
	public Outcome outcome(boolean admitted) {
		return outcome(this.decision, admitted);
	}

	static Outcome outcome(RateLimitDecision decision, boolean admitted) {
		if (!(decision instanceof Allowed allowed)) {
			return Outcome.REJECTED;
		}
		if (!admitted) {
			return Outcome.RELEASED;
		}
		return allowed.delay().isZero() ? Outcome.ALLOWED : Outcome.DELAYED;
	}

	/**
	 * Whether the rule only reports.
	 * @return whether it is in shadow
	 */
	public boolean isShadow() {
		return this.ruleRequest.rule().config().enforcement().shadow();
	}

}
