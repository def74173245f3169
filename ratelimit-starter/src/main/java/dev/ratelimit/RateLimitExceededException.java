package dev.ratelimit;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * A call was refused by {@link RateLimited}, or an outbound call by its rule. If a
 * controller throws it, the response is the same as for a request that the filter
 * refuses: 429, or what the rule defines instead, with the headers of the rules that
 * refused. For an outbound call it is 503, and reports nothing of the rule. Decisions are
 * not serialized: an exception from another JVM has its message, no refusals and no time
 * to wait.
 */
public class RateLimitExceededException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/** Null in an exception from another JVM. */
	private final transient @Nullable List<RateLimitDecision> refusals;

	private final boolean outbound;

	/**
	 * Create the exception.
	 * @param message what was refused, without text that a client chose
	 * @param refusals the decisions of the rules that refused; none if the call lacked a
	 * key that a rule requires
	 */
	public RateLimitExceededException(String message, List<RateLimitDecision> refusals) {
		this(message, refusals, false);
	}

	/**
	 * Create the exception.
	 * @param message what was refused, without text that a client chose
	 * @param refusals the decisions of the rules that refused
	 * @param outbound whether a call to another server was refused
	 */
	public RateLimitExceededException(String message, List<RateLimitDecision> refusals, boolean outbound) {
		super(message);
		this.refusals = List.copyOf(refusals);
		this.outbound = outbound;
	}

	/**
	 * Why the call was refused.
	 * @return the decisions of the rules that refused; none if the call lacked a key that
	 * a rule requires
	 */
	public List<RateLimitDecision> refusals() {
		return (this.refusals != null) ? this.refusals : List.of();
	}

	/**
	 * Whether a call to another server was refused. The limit is that of the server: the
	 * client of this application has exceeded nothing.
	 * @return whether the call is outbound
	 */
	public boolean isOutbound() {
		return this.outbound;
	}

	/**
	 * The time until the same call can succeed if no other call is made meanwhile.
	 * @return the longest wait of the rules that refused; empty if waiting cannot help
	 */
	public Optional<Duration> retryAfter() {
		Optional<Duration> longest = Optional.empty();
		for (RateLimitDecision refusal : refusals()) {
			Optional<Duration> wait = refusal.retryAfter();
			if (wait.isEmpty()) {
				return wait;
			}
			longest = longest.filter((other) -> other.compareTo(wait.get()) >= 0).or(() -> wait);
		}
		return longest;
	}

}
