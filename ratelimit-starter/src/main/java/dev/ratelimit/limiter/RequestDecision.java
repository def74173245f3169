package dev.ratelimit.limiter;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimitDecision.Allowed;
import org.jspecify.annotations.Nullable;

/**
 * The decisions of all rules that were evaluated together. Tested by
 * {@code RequestLimiterTests}.
 */
public final class RequestDecision {

	private final List<RuleDecision> decided;

	private final @Nullable Batch acquired;

	private final boolean admitted;

	/**
	 * Create a decision without permits.
	 * @param decided the decision of each rule
	 */
	public RequestDecision(List<RuleDecision> decided) {
		this(decided, null);
	}

	/**
	 * Create a decision.
	 * @param decided the decision of each rule
	 * @param acquired the requests, some of which may have acquired permits
	 */
	RequestDecision(List<RuleDecision> decided, @Nullable Batch acquired) {
		this.decided = List.copyOf(decided);
		this.acquired = acquired;
		this.admitted = admits(this.decided);
	}

	private static boolean admits(List<RuleDecision> decided) {
		for (RuleDecision one : decided) {
			if (one.refuses()) {
				return false;
			}
		}
		return true;
	}

	/**
	 * The decision of each rule.
	 * @return the decisions in the order of evaluation. Some rules refuse without a call
	 * of the store, because they block the client or have just refused it; if any does,
	 * only those rules are listed
	 */
	public List<RuleDecision> decided() {
		return this.decided;
	}

	/**
	 * The permits that were acquired and can be released. Few requests release any, so
	 * each call makes the list.
	 * @return the permits; empty after a refusal
	 */
	public List<Permit> permits() {
		return (this.acquired != null) ? this.acquired.permits() : List.of();
	}

	/**
	 * Whether the request may go on.
	 * @return whether every rule that is not in shadow admitted it
	 */
	public boolean isAdmitted() {
		return this.admitted;
	}

	/**
	 * How long the request waits until it may go on.
	 * @return the time from the result of the store until the last of its turns; zero if
	 * it was given no turn
	 */
	public Duration delay() {
		Duration longest = Duration.ZERO;
		for (RuleDecision one : this.decided) {
			if (one.decision() instanceof Allowed allowed && !one.isShadow()
					&& allowed.delay().compareTo(longest) > 0) {
				longest = allowed.delay();
			}
		}
		return longest;
	}

	/**
	 * The rules that refused.
	 * @return their decisions
	 */
	public List<RateLimitDecision> refusals() {
		List<RateLimitDecision> refusals = new ArrayList<>(this.decided.size());
		for (RuleDecision one : this.decided) {
			if (one.refuses()) {
				refusals.add(one.decision());
			}
		}
		return Collections.unmodifiableList(refusals);
	}

}
