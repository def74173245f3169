package dev.ratelimit.limiter.lease;

import java.util.ArrayList;
import java.util.List;

/**
 * The receipts of a leased rule. They are either the number of the lease from which
 * permits were spent, or zero followed by the receipts of the store that granted the
 * permits to a single request.
 */
final class LeaseReceipts {

	private static final long OF_THE_STORE = 0;

	private LeaseReceipts() {
	}

	static List<Long> ofLease(long number) {
		return List.of(number);
	}

	static List<Long> ofStore(List<Long> receipts) {
		List<Long> all = new ArrayList<>(receipts.size() + 1);
		all.add(OF_THE_STORE);
		all.addAll(receipts);
		return all;
	}

	static boolean isOfLease(List<Long> receipts) {
		return !receipts.isEmpty() && receipts.get(0) != OF_THE_STORE;
	}

	/** The receipts that the store itself returned. */
	static List<Long> forStore(List<Long> receipts) {
		return receipts.isEmpty() ? receipts : receipts.subList(1, receipts.size());
	}

}
