package dev.ratelimit.limiter.sync;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Usage;

/**
 * The windows of one limit as the store counts them, in the monotonic time of this
 * instance. The end of a window is not known exactly. Its bounds follow from the earliest
 * and the latest moment at which the store may have replied, and are widened by the drift
 * of the clocks. Tested by {@code SyncedCounterTests}.
 */
final class StoreWindows {

	/** Clocks are slewed by 500 ppm at most. */
	private static final long DRIFT_DIVISOR = 2000;

	private final List<Long> receipts;

	/** When each window may end. */
	private final long[] earliestNanos;

	/** When each window has certainly ended. */
	private final long[] latestNanos;

	private final long sinceNanos;

	private StoreWindows(List<Long> receipts, long[] earliestNanos, long[] latestNanos, long sinceNanos) {
		this.receipts = List.copyOf(receipts);
		this.earliestNanos = earliestNanos;
		this.latestNanos = latestNanos;
		this.sinceNanos = sinceNanos;
	}

	/**
	 * Create the windows from a result.
	 * @param limit the limit
	 * @param usage the state of its windows
	 * @param receipts the names of the windows
	 * @param sentNanos when the request was sent to the store
	 * @param nowNanos when the result had arrived
	 * @return the windows; empty if the result does not contain their ends, because
	 * nothing is counted in one of them
	 */
	static Optional<StoreWindows> of(Limit limit, List<Usage> usage, List<Long> receipts, long sentNanos,
			long nowNanos) {
		long[] earliest = new long[limit.size()];
		long[] latest = new long[limit.size()];
		for (int i = 0; i < limit.size(); i++) {
			long endMicros = usage.get(i).resetMicros();
			if (endMicros == 0) {
				return Optional.empty();
			}
			if (endMicros > limit.windowMicros(i)) {
				// The permits of a sliding-window counter affect one more window.
				endMicros -= limit.windowMicros(i);
			}
			long drift = endMicros * 1000 / DRIFT_DIVISOR;
			earliest[i] = sentNanos + endMicros * 1000 - drift;
			latest[i] = nowNanos + endMicros * 1000 + drift;
		}
		return Optional.of(new StoreWindows(receipts, earliest, latest, sentNanos));
	}

	/** The names of the windows in the store. */
	List<Long> receipts() {
		return this.receipts;
	}

	/** When the given window has certainly ended. */
	long latestNanos(int window) {
		return this.latestNanos[window];
	}

	/** Since when these are known to be the current windows. */
	long sinceNanos() {
		return this.sinceNanos;
	}

	/** Until when none of the windows can end. */
	long validUntilNanos() {
		long first = this.earliestNanos[0];
		for (long end : this.earliestNanos) {
			first = (end - first < 0) ? end : first;
		}
		return first;
	}

	boolean hasPassed(int index, long nowNanos) {
		return nowNanos - this.latestNanos[index] >= 0;
	}

	boolean areSame(StoreWindows others) {
		return this.receipts.equals(others.receipts);
	}

	/**
	 * Whether these windows were over when the others began, as far as this instance
	 * knows.
	 */
	boolean areBefore(StoreWindows others) {
		return this.sinceNanos - others.sinceNanos < 0 && !areSame(others);
	}

	/**
	 * Whether no window has any effect any more.
	 * @param limit the limit
	 * @param nowNanos the time
	 * @return whether the permits counted here no longer matter
	 */
	boolean isOutOfSight(Limit limit, long nowNanos) {
		for (int i = 0; i < limit.size(); i++) {
			long inSightNanos = (limit.algorithm() == Algorithm.SLIDING_WINDOW_COUNTER) ? limit.windowMicros(i) * 1000
					: 0;
			if (nowNanos - this.latestNanos[i] - inSightNanos < 0) {
				return false;
			}
		}
		return true;
	}

	/**
	 * The windows at another time.
	 * @param limit the limit
	 * @param nowNanos the time
	 * @return the windows; empty if it is not certain which they are
	 */
	Optional<StoreWindows> at(Limit limit, long nowNanos) {
		long[] earliest = this.earliestNanos.clone();
		long[] latest = this.latestNanos.clone();
		List<Long> names = new ArrayList<>(this.receipts);
		for (int i = 0; i < earliest.length; i++) {
			if (hasPassed(i, nowNanos)) {
				long windows = 1 + (nowNanos - latest[i]) / (limit.windowMicros(i) * 1000);
				long nanos = windows * limit.windowMicros(i) * 1000;
				earliest[i] += nanos - nanos / DRIFT_DIVISOR;
				latest[i] += nanos + nanos / DRIFT_DIVISOR;
				names.set(i, names.get(i) + windows * limit.windowMicros(i));
			}
			if (nowNanos - earliest[i] >= 0) {
				return Optional.empty();
			}
		}
		return Optional.of(new StoreWindows(names, earliest, latest, nowNanos));
	}

}
