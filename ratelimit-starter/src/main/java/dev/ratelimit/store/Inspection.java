package dev.ratelimit.store;

import java.util.List;

/**
 * What came of a look at the windows of a client.
 */
public sealed interface Inspection {

	/**
	 * The store has told.
	 *
	 * @param usage one entry per threshold, in the order of {@link Limit#thresholds()};
	 * the retry is that of a request that costs one permit
	 */
	record Found(List<Usage> usage) implements Inspection {

		public Found {
			usage = List.copyOf(usage);
		}

	}

	/**
	 * The store could not tell.
	 *
	 * @param failure why
	 */
	record Unavailable(StoreFailure failure) implements Inspection {
	}

}
