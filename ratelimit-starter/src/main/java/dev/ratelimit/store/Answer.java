package dev.ratelimit.store;

import java.util.List;

/**
 * What a store found.
 */
public sealed interface Answer {

	/**
	 * All windows had room, and the permits are taken.
	 *
	 * @param usage one entry per threshold, in the order of {@link Limit#thresholds()}
	 * @param receipts what the store must be shown to take these very permits back, in
	 * numbers of its own; empty where it knows them by their name
	 */
	record Admitted(List<Usage> usage, List<Long> receipts) implements Answer {

		/**
		 * Permits that the store knows by their name.
		 * @param usage one entry per threshold
		 */
		public Admitted(List<Usage> usage) {
			this(usage, List.of());
		}

	}

	/**
	 * At least one window had no room, and nothing was taken (with
	 * {@link Limit#countRejected()} the refusal itself was counted).
	 *
	 * @param usage one entry per threshold, in the order of {@link Limit#thresholds()}
	 */
	record Refused(List<Usage> usage) implements Answer {
	}

	/**
	 * The store could not answer.
	 *
	 * @param failure why
	 * @param mayHaveCounted whether the permits may have been taken all the same
	 */
	record Failed(StoreFailure failure, boolean mayHaveCounted) implements Answer {
	}

}
