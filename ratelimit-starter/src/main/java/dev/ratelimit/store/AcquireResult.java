package dev.ratelimit.store;

import java.time.Duration;
import java.util.List;

/**
 * What a store found.
 */
public sealed interface AcquireResult {

	/**
	 * All windows had room, and the permits are taken.
	 *
	 * @param usage one entry per threshold, in the order of {@link Limit#thresholds()}
	 * @param receipts what the store must be shown to take these very permits back, in
	 * numbers of its own; empty where it knows them by their name
	 */
	record Admitted(List<Usage> usage, List<Long> receipts) implements AcquireResult {

		/**
		 * Permits that the store knows by their name.
		 * @param usage one entry per threshold
		 */
		public Admitted(List<Usage> usage) {
			this(usage, List.of());
		}

	}

	/**
	 * All windows had room for permits ahead, and these are taken.
	 *
	 * @param usage one entry per threshold, in the order of {@link Limit#thresholds()}
	 * @param receipts as of {@link Admitted}
	 * @param permits how many were taken; at least the cost of the question
	 */
	record Reserved(List<Usage> usage, List<Long> receipts, long permits) implements AcquireResult {
	}

	/**
	 * The permits are taken as of a later instant, or of now.
	 *
	 * @param usage one entry per threshold, in the order of {@link Limit#thresholds()}
	 * @param receipts as of {@link Admitted}
	 * @param waitMicros time until the turn has come, in microseconds
	 */
	record Turn(List<Usage> usage, List<Long> receipts, long waitMicros) implements AcquireResult {
	}

	/**
	 * Given without the store, out of what it had answered before.
	 *
	 * @param result admitted or refused
	 */
	record Leased(AcquireResult result) implements AcquireResult {
	}

	/**
	 * At least one window had no room, and nothing was taken (with
	 * {@link Limit#countRejected()} the refusal itself was counted).
	 *
	 * @param usage one entry per threshold, in the order of {@link Limit#thresholds()}
	 */
	record Refused(List<Usage> usage) implements AcquireResult {
	}

	/**
	 * The store could not answer.
	 *
	 * @param failure why
	 * @param fate what became of the permits
	 * @param retryAfter for how long the store is not asked again; zero where the next
	 * question goes there
	 */
	record Failed(StoreFailure failure, Fate fate, Duration retryAfter) implements AcquireResult {

		public Failed {
			if (retryAfter.isNegative()) {
				throw new IllegalArgumentException("There is no retry before now: " + retryAfter);
			}
		}

		/**
		 * A failure after which the next question is asked all the same.
		 * @param failure why
		 * @param fate what became of the permits
		 */
		public Failed(StoreFailure failure, Fate fate) {
			this(failure, fate, Duration.ZERO);
		}

	}

	/** What became of permits that a store was asked for and did not grant in time. */
	enum Fate {

		/** They are surely not taken. */
		NOT_TAKEN,

		/** They may be taken, and nobody will find out. */
		UNKNOWN,

		/**
		 * They may be taken. The store waits for its late answer, gives back by itself
		 * what that granted, and tells its {@link LateReplyListener}.
		 */
		AWAITED

	}

}
