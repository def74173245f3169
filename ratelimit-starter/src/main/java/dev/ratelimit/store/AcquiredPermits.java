package dev.ratelimit.store;

import java.util.List;

/**
 * Permits that can be given back.
 *
 * @param request what was asked
 * @param receipts what the store said to it; empty if its answer was lost, or if it needs
 * none
 */
public record AcquiredPermits(AcquireRequest request, List<Long> receipts) {

	/**
	 * Permits whose answer was lost: they may have been taken.
	 * @param request what was asked
	 */
	public AcquiredPermits(AcquireRequest request) {
		this(request, List.of());
	}

	/**
	 * Another number of the same permits.
	 * @param permits how many; at least 1
	 * @return the permits
	 */
	public AcquiredPermits of(long permits) {
		return new AcquiredPermits(this.request.of(permits), this.receipts);
	}

}
