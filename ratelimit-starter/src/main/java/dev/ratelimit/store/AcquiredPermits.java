package dev.ratelimit.store;

import java.util.List;

/**
 * Permits that can be released.
 *
 * @param request the request that acquired them
 * @param receipts the receipts from the result of that request; empty if the result was
 * lost, or if the store needs none
 */
public record AcquiredPermits(AcquireRequest request, List<Long> receipts) {

	/**
	 * Permits whose result was lost: they may have been taken.
	 * @param request the request that may have acquired them
	 */
	public AcquiredPermits(AcquireRequest request) {
		this(request, List.of());
	}

	/**
	 * Another number of the same permits.
	 * @param permits the number; at least 1
	 * @return the permits
	 */
	public AcquiredPermits of(long permits) {
		return new AcquiredPermits(this.request.of(permits), this.receipts);
	}

}
