package dev.ratelimit;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What one rule decided about one request. Closed, so that a {@code switch} over it needs
 * no default.
 */
public sealed interface RateLimitDecision {

	/**
	 * The rule that decided.
	 * @return its id
	 */
	String rule();

	/**
	 * Who counted.
	 * @return the source of the decision
	 */
	Source source();

	/**
	 * Where the windows of the rule stand, the shortest first.
	 * @return one entry per threshold; empty where nothing was counted
	 */
	List<Quota> quotas();

	/**
	 * Whether the request may go on.
	 * @return whether it was admitted
	 */
	default boolean isAllowed() {
		return this instanceof Allowed;
	}

	/**
	 * The request may go on.
	 *
	 * @param rule the id of the rule
	 * @param source who counted
	 * @param quotas where the windows stand
	 * @param delay for how long the request was put off; zero unless its rule delays, or
	 * it was {@linkplain RateLimiter#acquire acquired}, and it had to wait for its turn
	 */
	record Allowed(String rule, Source source, List<Quota> quotas, Duration delay) implements RateLimitDecision {

		public Allowed {
			quotas = List.copyOf(quotas);
		}

		/**
		 * A request that may go on at once.
		 * @param rule the id of the rule
		 * @param source who counted
		 * @param quotas where the windows stand
		 */
		public Allowed(String rule, Source source, List<Quota> quotas) {
			this(rule, source, quotas, Duration.ZERO);
		}

	}

	/**
	 * The limit is reached.
	 *
	 * @param rule the id of the rule
	 * @param source who counted
	 * @param quotas where the windows stand
	 */
	record Rejected(String rule, Source source, List<Quota> quotas) implements RateLimitDecision {

		public Rejected {
			quotas = List.copyOf(quotas);
		}

		/**
		 * When a retry at the same cost can succeed if nobody else calls meanwhile.
		 * @return the wait; empty where waiting cannot help because the cost is above a
		 * threshold, or because the rule blocks whoever asks
		 */
		public Optional<Duration> retryAfter() {
			if (this.quotas.isEmpty()) {
				return Optional.empty();
			}
			Duration longest = Duration.ZERO;
			for (Quota quota : this.quotas) {
				if (quota.retryAfter().isEmpty()) {
					return Optional.empty();
				}
				Duration wait = quota.retryAfter().get();
				longest = (wait.compareTo(longest) > 0) ? wait : longest;
			}
			return Optional.of(longest);
		}

	}

	/**
	 * The store could not answer, and the rule refuses while it cannot.
	 *
	 * @param rule the id of the rule
	 * @param retryAfter when to try again
	 */
	record Unavailable(String rule, Duration retryAfter) implements RateLimitDecision {

		@Override
		public Source source() {
			return Source.NONE;
		}

		@Override
		public List<Quota> quotas() {
			return List.of();
		}

	}

	/**
	 * Where one window stands.
	 *
	 * @param policy its name in headers and problem details: the rule's id, with the
	 * window if the rule has several
	 * @param limit the most that it admits at once: its threshold, or the burst of a
	 * bucket
	 * @param threshold how many it admits per window in the long run
	 * @param window its length
	 * @param remaining how many are left, 0 to the limit
	 * @param resetAfter time until it is empty again if nobody calls
	 * @param retryAfter time until it can admit the same cost: zero where it did not
	 * refuse, empty where waiting cannot help
	 * @param moreAfter time until it has more left without further calls; of a refusal,
	 * its retryAfter; empty where nothing is used, in a log that has permits left, and in
	 * a refusal where it did not refuse or waiting cannot help
	 */
	record Quota(String policy, long limit, long threshold, Duration window, long remaining, Duration resetAfter,
			Optional<Duration> retryAfter, Optional<Duration> moreAfter) {

		/**
		 * A window all of which comes back at once: what it refuses when it can admit it,
		 * all else when it is empty.
		 * @param policy its name
		 * @param limit its threshold
		 * @param window its length
		 * @param remaining how many are left
		 * @param resetAfter time until it is empty again
		 * @param retryAfter time until it can admit the same cost
		 */
		public Quota(String policy, long limit, Duration window, long remaining, Duration resetAfter,
				Optional<Duration> retryAfter) {
			this(policy, limit, limit, window, remaining, resetAfter, retryAfter,
					retryAfter.map((wait) -> wait.isZero() ? resetAfter : wait).filter((more) -> !more.isZero()));
		}

	}

	/**
	 * Who counted.
	 */
	enum Source {

		/** The shared store. */
		STORE,

		/** This instance, out of permits that the shared store had granted ahead. */
		LEASE,

		/**
		 * The memory of this instance: it is the store, tells it at intervals, or repeats
		 * what the shared store has said and still holds.
		 */
		MEMORY,

		/** The memory of this instance, because the shared store could not answer. */
		LOCAL,

		/** Nobody. */
		NONE

	}

}
