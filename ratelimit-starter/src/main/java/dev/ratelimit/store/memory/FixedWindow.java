package dev.ratelimit.store.memory;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Usage;

/**
 * The fixed windows of one rule and subject: one counter per window, in constant memory.
 * Windows begin at whole multiples of their length. So twice the threshold can pass
 * around the boundary of two windows, and the first window of a new client may be short.
 * The algorithm is the first rate-limiter pattern in the Redis documentation of
 * {@code INCR}. The twin of {@code FixedWindow.lua}, step by step, and the oracle that
 * script is tested against. A counter does not know its permits: a request that is sent
 * again counts again. Not safe for concurrent use.
 */
final class FixedWindow implements CountingState {

	/** The maximum number of windows that stay although they were not requested. */
	static final int MOST_OTHERS = 8;

	/** By the length of the window in microseconds, the most recently requested first. */
	private final Map<Long, WindowCounter> counters = new LinkedHashMap<>(2);

	@Override
	public AcquireResult acquire(Limit limit, String id, long cost, long nowMicros) {
		List<WindowCounter> now = new ArrayList<>(limit.size());
		boolean full = false;
		boolean steppedBack = false;
		for (int i = 0; i < limit.size(); i++) {
			long window = limit.windowMicros(i);
			WindowCounter held = this.counters.getOrDefault(window, WindowCounter.UNUSED);
			WindowCounter counter = held.at(nowMicros / window);
			now.add(counter);
			steppedBack |= held.index() > counter.index();
			full |= cost > limit.count(i) - counter.count();
		}
		if (!full) {
			now.replaceAll((counter) -> counter.plus(cost));
		}
		if (!full || steppedBack) {
			remember(limit, now, nowMicros);
		}
		return result(limit, cost, full, now, nowMicros);
	}

	@Override
	public List<Usage> peek(Limit limit, long nowMicros) {
		List<WindowCounter> now = new ArrayList<>(limit.size());
		for (int i = 0; i < limit.size(); i++) {
			long window = limit.windowMicros(i);
			now.add(this.counters.getOrDefault(window, WindowCounter.UNUSED).at(nowMicros / window));
		}
		return ((AcquireResult.Refused) result(limit, 1, true, now, nowMicros)).usage();
	}

	@Override
	public AcquireResult.Admitted count(Limit limit, long permits, List<Long> receipts, long nowMicros) {
		List<WindowCounter> now = new ArrayList<>(limit.size());
		for (int i = 0; i < limit.size(); i++) {
			long window = limit.windowMicros(i);
			WindowCounter counter = this.counters.getOrDefault(window, WindowCounter.UNUSED).at(nowMicros / window);
			boolean passed = counter.index() + 1 > receipts.get(i) / window
					&& receipts.get(i) % window == counter.steps();
			now.add(passed ? counter : counter.plus(permits));
		}
		remember(limit, now, nowMicros);
		return admission(limit, now, nowMicros);
	}

	private static AcquireResult.Admitted admission(Limit limit, List<WindowCounter> now, long nowMicros) {
		return (AcquireResult.Admitted) result(limit, 0, false, now, nowMicros);
	}

	/** Other windows stay until they end, the most recently requested first. */
	private void remember(Limit limit, List<WindowCounter> now, long nowMicros) {
		if (holdsNoOthers(this.counters, limit)) {
			put(limit, now);
			return;
		}
		Map<Long, WindowCounter> before = new LinkedHashMap<>(this.counters);
		this.counters.clear();
		put(limit, now);
		before.keySet().removeAll(this.counters.keySet());
		before.entrySet()
			.stream()
			.filter((entry) -> entry.getValue().count() > 0
					&& (entry.getValue().index() + 1) * entry.getKey() > nowMicros)
			.limit(MOST_OTHERS)
			.forEach((entry) -> this.counters.put(entry.getKey(), entry.getValue()));
	}

	private void put(Limit limit, List<WindowCounter> now) {
		for (int i = 0; i < limit.size(); i++) {
			this.counters.put(limit.windowMicros(i), now.get(i));
		}
	}

	/**
	 * Whether there are no windows but those of a limit, in its order. If so, nothing has
	 * to be rearranged.
	 */
	static boolean holdsNoOthers(Map<Long, ?> byWindow, Limit limit) {
		int next = 0;
		for (long window : byWindow.keySet()) {
			if (next == limit.size() || window != limit.windowMicros(next)) {
				return false;
			}
			next++;
		}
		return true;
	}

	private static AcquireResult result(Limit limit, long cost, boolean full, List<WindowCounter> now, long nowMicros) {
		List<Usage> usage = new ArrayList<>(limit.size());
		List<Long> receipts = new ArrayList<>(limit.size());
		for (int i = 0; i < limit.size(); i++) {
			WindowCounter counter = now.get(i);
			long ending = (counter.index() + 1) * limit.windowMicros(i);
			long left = limit.count(i) - counter.count();
			long retry = 0;
			if (full && cost > left) {
				retry = (cost > limit.count(i)) ? Usage.NEVER : ending - nowMicros;
			}
			usage.add(new Usage(Math.max(0, left), (counter.count() > 0) ? ending - nowMicros : 0, retry));
			receipts.add(ending + counter.steps());
		}
		return full ? new AcquireResult.Refused(usage) : new AcquireResult.Admitted(usage, receipts);
	}

	@Override
	public boolean release(Limit limit, String id, long cost, List<Long> receipts) {
		boolean known = receipts.size() == limit.size();
		for (int i = 0; i < receipts.size(); i++) {
			long window = limit.windowMicros(i);
			WindowCounter counter = this.counters.get(window);
			if (counter != null) {
				long age = counter.index() + 1 - receipts.get(i) / window;
				boolean reported = age >= 0 && receipts.get(i) % window == counter.steps();
				known &= reported;
				if (reported && age == 0) {
					this.counters.put(window, counter.plus(-Math.min(cost, counter.count())));
				}
			}
		}
		return known;
	}

	@Override
	public boolean isIdle(long nowMicros) {
		return this.counters.entrySet()
			.stream()
			.allMatch((entry) -> (entry.getValue().index() + 1) * entry.getKey() <= nowMicros);
	}

	/**
	 * The permits that were counted in a window.
	 *
	 * @param index the number of windows before it
	 * @param count the permits
	 * @param steps how often the clock has stepped back behind it
	 */
	private record WindowCounter(long index, long count, long steps) {

		static final WindowCounter UNUSED = new WindowCounter(0, 0, 0);

		/**
		 * The number of distinct steps: less than the shortest window has microseconds.
		 */
		private static final long STEPS = 1000;

		/** The script does not distinguish larger counts. */
		private static final long MOST = 999_999_999_999_999L;

		WindowCounter at(long now) {
			if (this.index > now) {
				return new WindowCounter(now, this.count, (this.steps + 1) % STEPS);
			}
			return (this.index < now) ? new WindowCounter(now, 0, this.steps) : this;
		}

		WindowCounter plus(long cost) {
			return new WindowCounter(this.index, Math.min(MOST, this.count + cost), this.steps);
		}

	}

}
