package dev.ratelimit.limiter.sync;

import java.util.List;

import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.PermitId;
import dev.ratelimit.store.Subject;

/**
 * Permits that were spent in the same windows. Tested by {@code TakeBackTests}.
 *
 * @param permits how many
 * @param windows the windows
 */
record WindowPermits(long permits, StoreWindows windows) {

	/** A counter does not identify its permits by name. */
	private static final PermitId NAMELESS = new PermitId("synced");

	/** The names of the windows in the store. */
	List<Long> receipts() {
		return this.windows.receipts();
	}

	/** Convert these permits to the form that is sent to the store. */
	AcquiredPermits taken(Limit limit, Subject subject) {
		return new AcquiredPermits(new AcquireRequest(limit, subject, this.permits, NAMELESS), receipts());
	}

	static long sum(List<WindowPermits> batches) {
		long permits = 0;
		for (WindowPermits batch : batches) {
			permits += batch.permits();
		}
		return permits;
	}

}
