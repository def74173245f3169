package dev.ratelimit.limiter.sync;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.ListIterator;
import java.util.function.Predicate;

/**
 * What the store does not know of one cell: permits that were spent, those of them that
 * are on their way, and those that came back meanwhile. Permits of the same windows are
 * alike, so it does not matter which of them come back. Guarded by its cell.
 */
final class UnsyncedPermits {

	private final List<WindowPermits> spent = new ArrayList<>(1);

	private final List<WindowPermits> underWay = new ArrayList<>(1);

	/** Never more than were under way: the store counts them, and has to uncount them. */
	private final List<WindowPermits> back = new ArrayList<>(0);

	void add(WindowPermits batch) {
		this.spent.add(batch);
	}

	/** Everything leaves for the store, but for what came back of the same windows. */
	List<WindowPermits> leave() {
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

	/** What came back and is for the store to take back, as it knows of it by now. */
	List<WindowPermits> leaveBack() {
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

	/** The store has counted these. */
	void counted(WindowPermits batch) {
		this.underWay.remove(batch);
	}

	/** The store has not counted these. */
	void notCounted(WindowPermits batch) {
		this.underWay.remove(batch);
		this.spent.add(batch);
	}

	/**
	 * Nobody knows whether the store has counted these. What came back of them is not
	 * taken back: that might have been somebody else's.
	 * @param batch the permits
	 * @return how many of them are missing where it has not
	 */
	long unknown(WindowPermits batch) {
		this.underWay.remove(batch);
		return batch.permits() - remove(this.back, batch.permits(), batch.receipts());
	}

	/**
	 * Take permits back.
	 * @param permits how many
	 * @param receipts of their windows
	 * @return how many of them the store knows of
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

	/** Takes so many permits of some windows out, or as many as there are. */
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

	/** Whether the store has nothing to hear of. */
	boolean isEmpty() {
		return this.spent.isEmpty() && this.back.isEmpty();
	}

	/** Permits that wait to leave. */
	long permits() {
		return WindowPermits.sum(this.spent);
	}

	/** Those that came back and that the store counts, or is about to. */
	long permitsBack() {
		return WindowPermits.sum(this.back);
	}

	void forget(Predicate<StoreWindows> which) {
		this.spent.removeIf((batch) -> which.test(batch.windows()));
		this.back.removeIf((batch) -> which.test(batch.windows()));
	}

}
