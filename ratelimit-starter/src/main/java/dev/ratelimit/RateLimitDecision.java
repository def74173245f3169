package dev.ratelimit;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.rule.RLWindow;

/**
 * The decision of one rule about one request. Sealed, so a {@code switch} over it needs
 * no default.
 */
public sealed interface RateLimitDecision {

	/**
	 * The rule that decided.
	 * @return its id
	 */
	String rule();

	/**
	 * Where the request was counted.
	 * @return the source of the decision
	 */
	Source source();

	/**
	 * The state of the rule's windows, the shortest first.
	 * @return one entry per threshold; empty if nothing was counted
	 */
	List<Quota> quotas();

	/**
	 * Whether the request may proceed.
	 * @return whether it was admitted
	 */
	default boolean isAllowed() {
		return this instanceof Allowed;
	}

	/**
	 * The used share of the window that is used most, as in the meter
	 * {@code ratelimit.usage}. Allocates nothing, unlike a look at the {@link #quotas()}.
	 * @return 0 to 1; 0 if nothing was counted. Of {@link Source#LOCAL}, what this
	 * instance may not admit alone counts as used
	 */
	default double usedShare() {
		if (quotas() instanceof ComputedQuotas computed) {
			return computed.usedShare();
		}
		double most = 0;
		for (Quota quota : quotas()) {
			most = Math.max(most, ComputedQuotas.usedShare(quota.limit(), quota.remaining()));
		}
		return most;
	}

	/**
	 * The time until a retry at the same cost can succeed if no other request arrives
	 * meanwhile.
	 * @return the wait, zero if the request was admitted; empty if waiting cannot help,
	 * because the cost is above a threshold or the rule blocks the client
	 */
	Optional<Duration> retryAfter();

	/**
	 * The request may proceed.
	 *
	 * @param rule the id of the rule
	 * @param source where the request was counted
	 * @param quotas the state of the windows
	 * @param delay how long the request was delayed; zero unless its rule delays
	 * requests, or it was {@linkplain RateLimiter#acquire acquired}, and it had to wait
	 * for its turn
	 */
	record Allowed(String rule, Source source, List<Quota> quotas, Duration delay) implements RateLimitDecision {

		public Allowed {
			quotas = Quota.unmodifiable(quotas);
		}

		/**
		 * A request that may proceed at once.
		 * @param rule the id of the rule
		 * @param source where the request was counted
		 * @param quotas the state of the windows
		 */
		public Allowed(String rule, Source source, List<Quota> quotas) {
			this(rule, source, quotas, Duration.ZERO);
		}

		@Override
		public Optional<Duration> retryAfter() {
			return Optional.of(Duration.ZERO);
		}

	}

	/**
	 * The limit is exceeded.
	 *
	 * @param rule the id of the rule
	 * @param source where the request was counted
	 * @param quotas the state of the windows
	 */
	record Rejected(String rule, Source source, List<Quota> quotas) implements RateLimitDecision {

		public Rejected {
			quotas = Quota.unmodifiable(quotas);
		}

		@Override
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
	 * The store did not respond, and the rule refuses requests during an outage.
	 *
	 * @param rule the id of the rule
	 * @param retryAfter the time until a retry
	 */
	record Unavailable(String rule, Optional<Duration> retryAfter) implements RateLimitDecision {

		/**
		 * A refusal that ends after a time.
		 * @param rule the id of the rule
		 * @param retryAfter the time until a retry
		 */
		public Unavailable(String rule, Duration retryAfter) {
			this(rule, Optional.of(retryAfter));
		}

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
	 * The state of one window.
	 *
	 * @param policy its name in headers and problem details: the rule's id, with the
	 * window if the rule has several
	 * @param limit the most that it admits at once: its threshold, or the burst of a
	 * bucket
	 * @param threshold the number of permits per window in the long run
	 * @param window the window
	 * @param remaining the number of permits left, 0 to the limit
	 * @param resetAfter the time until it is empty again if no further request arrives
	 * @param retryAfter the time until it can admit the same cost: zero if it did not
	 * refuse, empty if waiting cannot help
	 * @param moreAfter the time until it has more permits left without further requests;
	 * for a refusal, its retryAfter; empty if nothing is used, for a log that has permits
	 * left, and for a refusal if this window did not refuse or waiting cannot help
	 */
	record Quota(String policy, long limit, long threshold, RLWindow window, long remaining, Duration resetAfter,
			Optional<Duration> retryAfter, Optional<Duration> moreAfter) {

		/**
		 * A window whose permits all come back at once: its moreAfter is its retryAfter
		 * if it refused, and otherwise its resetAfter.
		 * @param policy its name
		 * @param limit its threshold
		 * @param window its length
		 * @param remaining the number of permits left
		 * @param resetAfter the time until it is empty again
		 * @param retryAfter the time until it can admit the same cost
		 */
		public Quota(String policy, long limit, Duration window, long remaining, Duration resetAfter,
				Optional<Duration> retryAfter) {
			this(policy, limit, limit, RLWindow.of(window), remaining, resetAfter, retryAfter,
					retryAfter.map((wait) -> wait.isZero() ? resetAfter : wait).filter((more) -> !more.isZero()));
		}

		static List<Quota> unmodifiable(List<Quota> quotas) {
			return (quotas instanceof ComputedQuotas) ? quotas : List.copyOf(quotas);
		}

	}

	/**
	 * Where a request was counted.
	 */
	enum Source {

		/** The shared store. */
		STORE,

		/** This instance, from permits that it had leased from the shared store. */
		LEASE,

		/**
		 * The memory of this instance: it is the store, or it synchronizes with the store
		 * at intervals, or it repeats a refusal of the shared store that still holds.
		 */
		MEMORY,

		/** The memory of this instance, because the shared store did not respond. */
		LOCAL,

		/** Nowhere. */
		NONE

	}

}
