package dev.ratelimit;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.RateLimitDecision.Rejected;
import dev.ratelimit.RateLimitDecision.Unavailable;

/**
 * A call was refused by {@link RateLimited}. Where it leaves a controller, the request is
 * answered as the filter answers refused requests: 429 with the headers of the rules that
 * refused.
 */
public class RateLimitExceededException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final transient List<RateLimitDecision> refusals;

	/**
	 * Create the exception.
	 * @param message what was refused, without any text of a client
	 * @param refusals the decisions of the rules that refused; none if the call lacked a
	 * key that a rule insists on
	 */
	public RateLimitExceededException(String message, List<RateLimitDecision> refusals) {
		super(message);
		this.refusals = List.copyOf(refusals);
	}

	/**
	 * Why the call was refused.
	 * @return the decisions of the rules that refused; none if the call lacked a key that
	 * a rule insists on
	 */
	public List<RateLimitDecision> refusals() {
		return this.refusals;
	}

	/**
	 * When the same call can succeed if nobody else calls meanwhile.
	 * @return the longest wait of the rules that refused; empty where waiting cannot help
	 */
	public Optional<Duration> retryAfter() {
		Optional<Duration> longest = Optional.empty();
		for (RateLimitDecision refusal : this.refusals) {
			Optional<Duration> wait = retryAfter(refusal);
			if (wait.isEmpty()) {
				return wait;
			}
			longest = longest.filter((other) -> other.compareTo(wait.get()) >= 0).or(() -> wait);
		}
		return longest;
	}

	private static Optional<Duration> retryAfter(RateLimitDecision refusal) {
		if (refusal instanceof Rejected rejected) {
			return rejected.retryAfter();
		}
		return (refusal instanceof Unavailable unavailable) ? Optional.of(unavailable.retryAfter()) : Optional.empty();
	}

}
