package dev.ratelimit.store;

import java.time.Duration;
import java.util.List;

/**
 * The result of an {@link AcquireRequest}. Tested by {@code RequestLimiterTests}.
 */
public sealed interface AcquireResult {

	/**
	 * All windows had room, and the permits are taken.
	 *
	 * @param usage one entry per threshold, in the order of {@link Limit#thresholds()}
	 * @param receipts the store's own numbers, which it needs to take exactly these
	 * permits back; empty where it identifies permits by their name
	 */
	record Admitted(List<Usage> usage, List<Long> receipts) implements AcquireResult {

		/**
		 * Permits that the store identifies by their name.
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
	 * @param receipts as in {@link Admitted}
	 * @param permits the number of permits taken; at least the cost of the request
	 */
	record Reserved(List<Usage> usage, List<Long> receipts, long permits) implements AcquireResult {
	}

	/**
	 * The permits are taken as of a later instant, or as of now.
	 *
	 * @param usage one entry per threshold, in the order of {@link Limit#thresholds()}
	 * @param receipts as in {@link Admitted}
	 * @param waitMicros time until the turn, in microseconds
	 */
	record Turn(List<Usage> usage, List<Long> receipts, long waitMicros) implements AcquireResult {
	}

	/**
	 * At least one window had no room, and nothing was taken. With
	 * {@link Limit#countRejected()} the refusal itself was counted.
	 *
	 * @param usage one entry per threshold, in the order of {@link Limit#thresholds()}
	 */
	record Refused(List<Usage> usage) implements AcquireResult {
	}

	/**
	 * The store could not decide.
	 *
	 * @param failure the reason
	 * @param fate what became of the permits
	 * @param retryAfter how long the store is not called again; zero if the next request
	 * goes to the store
	 */
	record Failed(StoreFailure failure, Fate fate, Duration retryAfter) implements AcquireResult {

		public Failed {
			if (retryAfter.isNegative()) {
				throw new IllegalArgumentException("There is no retry before now: " + retryAfter);
			}
		}

		/**
		 * A failure after which the next request still goes to the store.
		 * @param failure the reason
		 * @param fate what became of the permits
		 */
		public Failed(StoreFailure failure, Fate fate) {
			this(failure, fate, Duration.ZERO);
		}

	}

}
