package dev.ratelimit.limiter.sync;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Usage;

/**
 * The windows of one limit as the store counts them, in the monotonic time of this
 * instance. The end of a window lies between that of the earliest and of the latest
 * moment at which the store may have answered, and as far around them as clocks run
 * apart.
 */
final class StoreWindows {

	/** Clocks are slewed by 500 ppm at most. */
	private static final long DRIFT_DIVISOR = 2000;

	private final List<Long> receipts;

	/** When each may end. */
	private final long[] earliestNanos;

	/** When each has surely ended. */
	private final long[] latestNanos;

	private final long sinceNanos;

	private StoreWindows(List<Long> receipts, long[] earliestNanos, long[] latestNanos, long sinceNanos) {
		this.receipts = List.copyOf(receipts);
		this.earliestNanos = earliestNanos;
		this.latestNanos = latestNanos;
		this.sinceNanos = sinceNanos;
	}

	/**
	 * Read the windows out of an answer.
	 * @param limit the limit
	 * @param usage where its windows stand
	 * @param receipts the names of the windows
	 * @param sentNanos when the store was asked
	 * @param nowNanos when it has answered
	 * @return the windows; nothing where the answer does not tell when they end, as
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
				// A sliding-window counter is in sight for a window longer.
				endMicros -= limit.windowMicros(i);
			}
			long drift = endMicros * 1000 / DRIFT_DIVISOR;
			earliest[i] = sentNanos + endMicros * 1000 - drift;
			latest[i] = nowNanos + endMicros * 1000 + drift;
		}
		return Optional.of(new StoreWindows(receipts, earliest, latest, sentNanos));
	}

	/** What the store names them by. */
	List<Long> receipts() {
		return this.receipts;
	}

	/** When one of them has surely ended. */
	long latestNanos(int window) {
		return this.latestNanos[window];
	}

	/** Since when they are known to be the current ones. */
	long sinceNanos() {
		return this.sinceNanos;
	}

	/** Until when nothing of this changes. */
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

	/** Whether these were over when the others began, as this instance knows. */
	boolean areBefore(StoreWindows others) {
		return this.sinceNanos - others.sinceNanos < 0 && !areSame(others);
	}

	/**
	 * Whether all of this is out of sight.
	 * @param limit the limit
	 * @param nowNanos the time
	 * @return whether it does not matter any more what was counted here
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
	 * The windows of another time.
	 * @param limit the limit
	 * @param nowNanos the time
	 * @return the windows, if it is certain which they are
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
