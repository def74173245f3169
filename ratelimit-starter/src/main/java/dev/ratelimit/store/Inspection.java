package dev.ratelimit.store;

import java.util.List;

/**
 * The result of inspecting the windows of a client.
 */
public sealed interface Inspection {

	/**
	 * The store reported the windows.
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
	 * The store could not report the windows.
	 *
	 * @param failure the reason
	 */
	record NotAvailable(StoreFailure failure) implements Inspection {
	}

}
