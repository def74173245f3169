package dev.ratelimit.store.memory;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.ratelimit.rule.Rounding;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Usage;

/**
 * The sliding-window counters of one rule and subject: two fixed windows each, in
 * constant memory. The permits of the previous window are assumed to be spread evenly,
 * and count as far as they still lie in the sliding window:
 * {@code previous * (1 - elapsed / window) + current}. That is exact for a steady client
 * and an estimate for others. Uneven bursts let a rolling window exceed its threshold,
 * always below twice the threshold, or keep a client waiting longer than a log would. The
 * algorithm is the one that Cloudflare describes ("How we built rate limiting capable of
 * scaling to millions of domains"). The twin of {@code SlidingWindowCounter.lua}, step by
 * step, and the oracle that script is tested against. A counter does not know its
 * permits: a request that is sent again counts again. Not safe for concurrent use.
 */
final class SlidingWindowCounter implements CountingState {

	private static final int MOST_OTHERS = FixedWindow.MOST_OTHERS;

	/** By the length of the window in microseconds, the most recently requested first. */
	private final Map<Long, WindowPair> pairs = new LinkedHashMap<>(2);

	@Override
	public AcquireResult acquire(Limit limit, String id, long cost, long nowMicros) {
		boolean up = limit.rounding() == Rounding.UP;
		List<WindowPair> now = new ArrayList<>(limit.size());
		long[] room = new long[limit.size()];
		boolean full = false;
		boolean steppedBack = false;
		for (int i = 0; i < room.length; i++) {
			long window = limit.windowMicros(i);
			WindowPair held = this.pairs.getOrDefault(window, WindowPair.UNUSED);
			WindowPair pair = held.at(nowMicros / window, limit.count(i));
			now.add(pair);
			room[i] = limit.count(i) - pair.estimate(window - nowMicros % window, window, up);
			steppedBack |= held.index() > pair.index();
			full |= cost > room[i];
		}
		if (!full) {
			now.replaceAll((pair) -> pair.plus(cost));
		}
		if (!full || steppedBack) {
			remember(limit, now, nowMicros);
		}
		return full ? refusal(limit, cost, now, room, nowMicros) : admission(limit, cost, now, room, nowMicros);
	}

	@Override
	public List<Usage> peek(Limit limit, long nowMicros) {
		List<WindowPair> now = new ArrayList<>(limit.size());
		long[] room = new long[limit.size()];
		for (int i = 0; i < room.length; i++) {
			long window = limit.windowMicros(i);
			WindowPair held = this.pairs.getOrDefault(window, WindowPair.UNUSED);
			now.add(held.at(nowMicros / window, limit.count(i)));
			room[i] = limit.count(i)
					- now.get(i).estimate(window - nowMicros % window, window, limit.rounding() == Rounding.UP);
		}
		return refusal(limit, 1, now, room, nowMicros).usage();
	}

	@Override
	public AcquireResult.Admitted count(Limit limit, long permits, List<Long> receipts, long nowMicros) {
		List<WindowPair> now = new ArrayList<>(limit.size());
		long[] room = new long[limit.size()];
		for (int i = 0; i < room.length; i++) {
			long window = limit.windowMicros(i);
			WindowPair held = this.pairs.getOrDefault(window, WindowPair.UNUSED);
			WindowPair pair = held.at(nowMicros / window, limit.count(i));
			long age = pair.index() + 1 - receipts.get(i) / window;
			boolean reported = age >= 0 && receipts.get(i) % window == pair.steps();
			now.add(pair.plus(permits, reported ? age : 0));
			long used = now.get(i).estimate(window - nowMicros % window, window, limit.rounding() == Rounding.UP);
			room[i] = Math.max(0, limit.count(i) - used);
		}
		remember(limit, now, nowMicros);
		return admission(limit, 0, now, room, nowMicros);
	}

	/** Other windows stay until they end, the most recently requested first. */
	private void remember(Limit limit, List<WindowPair> now, long nowMicros) {
		if (FixedWindow.holdsNoOthers(this.pairs, limit)) {
			put(limit, now);
			return;
		}
		Map<Long, WindowPair> before = new LinkedHashMap<>(this.pairs);
		this.pairs.clear();
		put(limit, now);
		before.keySet().removeAll(this.pairs.keySet());
		before.entrySet()
			.stream()
			.filter((entry) -> entry.getValue().resetMicros(entry.getKey(), nowMicros) > 0)
			.limit(MOST_OTHERS)
			.forEach((entry) -> this.pairs.put(entry.getKey(), entry.getValue()));
	}

	private void put(Limit limit, List<WindowPair> now) {
		for (int i = 0; i < limit.size(); i++) {
			this.pairs.put(limit.windowMicros(i), now.get(i));
		}
	}

	private static AcquireResult.Admitted admission(Limit limit, long cost, List<WindowPair> now, long[] room,
			long nowMicros) {
		List<Usage> usage = new ArrayList<>(room.length);
		List<Long> receipts = new ArrayList<>(room.length);
		for (int i = 0; i < room.length; i++) {
			long window = limit.windowMicros(i);
			usage.add(new Usage(room[i] - cost, now.get(i).resetMicros(window, nowMicros), 0));
			receipts.add((now.get(i).index() + 1) * window + now.get(i).steps());
		}
		return new AcquireResult.Admitted(usage, receipts);
	}

	private static AcquireResult.Refused refusal(Limit limit, long cost, List<WindowPair> now, long[] room,
			long nowMicros) {
		boolean up = limit.rounding() == Rounding.UP;
		List<Usage> usage = new ArrayList<>(room.length);
		for (int i = 0; i < room.length; i++) {
			long window = limit.windowMicros(i);
			long retry = 0;
			if (cost > limit.count(i)) {
				retry = Usage.NEVER;
			}
			else if (cost > room[i]) {
				retry = now.get(i).retryMicros(limit.count(i) - cost, window, nowMicros, up);
			}
			usage.add(new Usage(Math.max(0, room[i]), now.get(i).resetMicros(window, nowMicros), retry));
		}
		return new AcquireResult.Refused(usage);
	}

	@Override
	public boolean release(Limit limit, String id, long cost, List<Long> receipts) {
		boolean known = receipts.size() == limit.size();
		for (int i = 0; i < receipts.size(); i++) {
			long window = limit.windowMicros(i);
			WindowPair pair = this.pairs.get(window);
			if (pair != null) {
				long age = pair.index() + 1 - receipts.get(i) / window;
				boolean reported = age >= 0 && receipts.get(i) % window == pair.steps();
				known &= reported;
				if (reported) {
					this.pairs.put(window, pair.minus(cost, age));
				}
			}
		}
		return known;
	}

	@Override
	public boolean isIdle(long nowMicros) {
		return this.pairs.entrySet()
			.stream()
			.allMatch((entry) -> entry.getValue().resetMicros(entry.getKey(), nowMicros) <= 0);
	}

}
