package dev.ratelimit.store.memory;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Usage;

/**
 * The windows of one rule and subject, each counted by the same algorithm. Permits are
 * taken from all windows of a limit or from none. Not safe for concurrent use. Tested by
 * {@code IntervalModelTests}.
 *
 * @param <W> the algorithm
 */
final class CountedWindows<W extends CountedWindow<W>> implements SubjectState {

	/** The maximum number of windows that stay although they were not requested. */
	private static final int MOST_OTHERS = 8;

	private final W unused;

	/** By the length of the window in microseconds, the most recently requested first. */
	private final Map<Long, W> windows = new LinkedHashMap<>(2);

	/** When permits were taken last. */
	private long lastMicros;

	/**
	 * Create windows in which nothing is counted.
	 * @param unused such a window
	 */
	CountedWindows(W unused) {
		this.unused = unused;
	}

	@Override
	public AcquireResult acquire(Limit limit, String id, long cost, long nowMicros) {
		List<W> now = new ArrayList<>(limit.size());
		boolean full = false;
		boolean steppedBack = false;
		for (int i = 0; i < limit.size(); i++) {
			W held = held(limit, i);
			W window = held.at(limit, i, nowMicros);
			full |= cost > window.room(limit, i, nowMicros);
			steppedBack |= held.isAheadOf(limit.windowMicros(i), nowMicros);
			now.add(window);
		}
		AcquireResult result = full ? refusal(limit, cost, now, nowMicros) : admission(limit, cost, now, nowMicros);
		if (!full || steppedBack) {
			remember(limit, now, nowMicros);
		}
		return result;
	}

	@Override
	public List<Usage> peek(Limit limit, long nowMicros) {
		List<W> now = new ArrayList<>(limit.size());
		for (int i = 0; i < limit.size(); i++) {
			now.add(held(limit, i).at(limit, i, nowMicros));
		}
		return refusal(limit, 1, now, nowMicros).usage();
	}

	/**
	 * Count permits, whether or not there is room, in the windows of their receipts or,
	 * where these are unknown, in the current ones.
	 * @param limit the limit
	 * @param permits the number of permits
	 * @param receipts their windows
	 * @param nowMicros the time
	 * @return the usage of the windows afterwards
	 */
	AcquireResult.Admitted count(Limit limit, long permits, List<Long> receipts, long nowMicros) {
		List<W> now = new ArrayList<>(limit.size());
		for (int i = 0; i < limit.size(); i++) {
			long window = limit.windowMicros(i);
			long receipt = receipts.get(i);
			W current = held(limit, i).at(limit, i, nowMicros);
			now.add(current.identifies(receipt, window) ? current.minus(-permits, receipt, window, this.lastMicros)
					: current.plus(permits));
		}
		AcquireResult.Admitted counted = admission(limit, 0, now, nowMicros);
		remember(limit, now, nowMicros);
		return counted;
	}

	private W held(Limit limit, int i) {
		return this.windows.getOrDefault(limit.windowMicros(i), this.unused);
	}

	private AcquireResult.Refused refusal(Limit limit, long cost, List<W> now, long nowMicros) {
		List<Usage> usage = new ArrayList<>(limit.size());
		for (int i = 0; i < limit.size(); i++) {
			long retry = 0;
			if (cost > limit.capacity(i)) {
				retry = Usage.NEVER;
			}
			else if (cost > now.get(i).room(limit, i, nowMicros)) {
				retry = now.get(i).retryMicros(limit, i, cost, nowMicros);
			}
			usage.add(usage(limit, i, now.get(i), retry, nowMicros));
		}
		return new AcquireResult.Refused(usage);
	}

	/** Takes the cost. */
	private AcquireResult.Admitted admission(Limit limit, long cost, List<W> now, long nowMicros) {
		List<Usage> usage = new ArrayList<>(limit.size());
		List<Long> receipts = new ArrayList<>(limit.size());
		for (int i = 0; i < limit.size(); i++) {
			receipts.add(now.get(i).receipt(limit.windowMicros(i)));
			now.set(i, now.get(i).plus(cost));
			usage.add(usage(limit, i, now.get(i), 0, nowMicros));
		}
		return new AcquireResult.Admitted(usage, receipts);
	}

	private Usage usage(Limit limit, int i, W window, long retryMicros, long nowMicros) {
		long reset = window.isUsed() ? window.endMicros(limit.windowMicros(i)) - nowMicros : 0;
		return new Usage(Math.max(0, window.room(limit, i, nowMicros)), reset, retryMicros);
	}

	/** Other windows stay until they end, the most recently requested first. */
	private void remember(Limit limit, List<W> now, long nowMicros) {
		this.lastMicros = nowMicros;
		if (holdsNoOthers(limit)) {
			put(limit, now);
			return;
		}
		Map<Long, W> before = new LinkedHashMap<>(this.windows);
		this.windows.clear();
		put(limit, now);
		before.keySet().removeAll(this.windows.keySet());
		before.entrySet()
			.stream()
			.filter((entry) -> entry.getValue().isUsed() && entry.getValue().endMicros(entry.getKey()) > nowMicros)
			.limit(MOST_OTHERS)
			.forEach((entry) -> this.windows.put(entry.getKey(), entry.getValue().keptAt(nowMicros)));
	}

	private void put(Limit limit, List<W> now) {
		for (int i = 0; i < limit.size(); i++) {
			this.windows.put(limit.windowMicros(i), now.get(i));
		}
	}

	/**
	 * Whether there are no windows but those of a limit, in its order. If so, nothing has
	 * to be rearranged.
	 */
	private boolean holdsNoOthers(Limit limit) {
		int next = 0;
		for (long window : this.windows.keySet()) {
			if (next == limit.size() || window != limit.windowMicros(next)) {
				return false;
			}
			next++;
		}
		return true;
	}

	@Override
	public boolean release(Limit limit, String id, long cost, List<Long> receipts) {
		boolean identified = receipts.size() == limit.size();
		for (int i = 0; i < receipts.size(); i++) {
			long receipt = receipts.get(i);
			long window = limit.windowMicros(i);
			W held = this.windows.get(window);
			if (held != null) {
				boolean isTheirs = held.identifies(receipt, window);
				identified &= isTheirs;
				if (isTheirs) {
					this.windows.put(window, held.minus(cost, receipt, window, this.lastMicros));
				}
			}
		}
		if (this.windows.values().stream().noneMatch(W::isUsed)) {
			// Requests that other rules refuse leave nothing behind.
			this.windows.clear();
		}
		return identified;
	}

	@Override
	public boolean isIdle(long nowMicros) {
		return this.windows.entrySet()
			.stream()
			.allMatch((entry) -> entry.getValue().idleMicros(entry.getKey(), this.lastMicros) <= nowMicros);
	}

}
