package dev.ratelimit.limiter.sync;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.ListIterator;
import java.util.function.Predicate;

/**
 * What the store does not count yet for one counter: permits that were spent, those of
 * them that are in flight, and those that were released meanwhile. Permits of the same
 * windows are alike, so it does not matter which of them are released. Guarded by its
 * counter. Tested by {@code TakeBackTests}.
 */
final class UnsyncedPermits {

	private final List<WindowPermits> spent = new ArrayList<>(1);

	private final List<WindowPermits> underWay = new ArrayList<>(1);

	/** Never more than were in flight: the store counts them, and has to release them. */
	private final List<WindowPermits> back = new ArrayList<>(0);

	void add(WindowPermits batch) {
		this.spent.add(batch);
	}

	/**
	 * Take out all spent permits to send them, except as many as were released in the
	 * same windows.
	 */
	List<WindowPermits> takeSpent() {
		List<WindowPermits> leaving = new ArrayList<>(this.spent.size());
		for (WindowPermits batch : this.spent) {
			long left = batch.permits() - remove(this.back, batch.permits(), batch.receipts());
			if (left > 0) {
				leaving.add(new WindowPermits(left, batch.windows()));
			}
		}
		this.spent.clear();
		this.underWay.addAll(leaving);
		return leaving;
	}

	/**
	 * Take out released permits that the store has to release, because it counts them by
	 * now.
	 */
	List<WindowPermits> takeReleases() {
		List<WindowPermits> leaving = new ArrayList<>(0);
		for (Iterator<WindowPermits> all = this.back.iterator(); all.hasNext();) {
			WindowPermits batch = all.next();
			if (sum(this.underWay, batch.receipts()) == 0) {
				all.remove();
				leaving.add(batch);
			}
		}
		return leaving;
	}

	/** Record that the store has counted these permits. */
	void counted(WindowPermits batch) {
		this.underWay.remove(batch);
	}

	/** Record that the store has not counted these permits: they are sent again. */
	void notCounted(WindowPermits batch) {
		if (this.underWay.remove(batch)) {
			this.spent.add(batch);
		}
	}

	/**
	 * Record that it is unknown whether the store has counted these permits. Those of
	 * them that were released here are not released in the store, because that might
	 * release permits of another request.
	 * @param batch the permits
	 * @return how many of them are missing in the store if it has not counted them
	 */
	long unknown(WindowPermits batch) {
		this.underWay.remove(batch);
		return batch.permits() - remove(this.back, batch.permits(), batch.receipts());
	}

	/**
	 * Release permits.
	 * @param permits how many
	 * @param receipts the receipts of their windows
	 * @return how many of them the store counts
	 */
	long takeBack(long permits, List<Long> receipts) {
		long left = permits - remove(this.spent, permits, receipts);
		long coming = Math.min(left, sum(this.underWay, receipts) - sum(this.back, receipts));
		if (coming <= 0) {
			return left;
		}
		this.underWay.stream()
			.map(WindowPermits::windows)
			.filter((windows) -> windows.receipts().equals(receipts))
			.findFirst()
			.ifPresent((windows) -> this.back.add(new WindowPermits(coming, windows)));
		return left - coming;
	}

	/** Remove the given number of permits of some windows, or as many as there are. */
	private static long remove(List<WindowPermits> from, long permits, List<Long> receipts) {
		long left = permits;
		for (ListIterator<WindowPermits> all = from.listIterator(); all.hasNext() && left > 0;) {
			WindowPermits batch = all.next();
			if (batch.receipts().equals(receipts)) {
				long taken = Math.min(left, batch.permits());
				left -= taken;
				if (taken == batch.permits()) {
					all.remove();
				}
				else {
					all.set(new WindowPermits(batch.permits() - taken, batch.windows()));
				}
			}
		}
		return permits - left;
	}

	private static long sum(List<WindowPermits> batches, List<Long> receipts) {
		long permits = 0;
		for (WindowPermits batch : batches) {
			permits += batch.receipts().equals(receipts) ? batch.permits() : 0;
		}
		return permits;
	}

	/** Whether there is nothing to send to the store. */
	boolean isEmpty() {
		return this.spent.isEmpty() && this.back.isEmpty();
	}

	/** Permits that are not sent yet. */
	long permits() {
		return WindowPermits.sum(this.spent);
	}

	/** Released permits that the store counts, or is about to count. */
	long permitsBack() {
		return WindowPermits.sum(this.back);
	}

	void forget(Predicate<StoreWindows> which) {
		this.spent.removeIf((batch) -> which.test(batch.windows()));
		this.underWay.removeIf((batch) -> which.test(batch.windows()));
		this.back.removeIf((batch) -> which.test(batch.windows()));
	}

}
