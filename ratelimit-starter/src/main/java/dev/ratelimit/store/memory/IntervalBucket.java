package dev.ratelimit.store.memory;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Usage;
import org.jspecify.annotations.Nullable;

/**
 * The buckets of one rule and subject, one per window, that are filled completely at the
 * end of every interval. An interval is as long as the window. It begins with the first
 * admission after the end of the previous interval. Not safe for concurrent use.
 */
final class IntervalBucket implements SubjectState {

	/** By the length of the window. */
	private final Map<Long, Interval> intervals = new LinkedHashMap<>();

	private long lastMicros;

	private long endMicros;

	@Override
	public AcquireResult acquire(Limit limit, String id, long cost, long nowMicros) {
		boolean refused = false;
		boolean steppedBack = false;
		List<Interval> now = new ArrayList<>(limit.size());
		for (int i = 0; i < limit.size(); i++) {
			Interval held = this.intervals.get(limit.windowMicros(i));
			Interval interval = Interval.at(held, limit, i, nowMicros);
			steppedBack |= held != null && held.taken() > 0 && held.start() > nowMicros;
			refused |= interval.taken() > limit.capacity(i) - cost;
			now.add(interval);
		}
		AcquireResult result = refused ? refusal(limit, cost, now, nowMicros) : admission(limit, cost, now, nowMicros);
		if (steppedBack || !refused) {
			remember(limit, now, nowMicros);
		}
		return result;
	}

	@Override
	public List<Usage> peek(Limit limit, long nowMicros) {
		List<Interval> now = new ArrayList<>(limit.size());
		for (int i = 0; i < limit.size(); i++) {
			now.add(Interval.at(this.intervals.get(limit.windowMicros(i)), limit, i, nowMicros));
		}
		return refusal(limit, 1, now, nowMicros).usage();
	}

	private static AcquireResult.Refused refusal(Limit limit, long cost, List<Interval> now, long nowMicros) {
		List<Usage> usage = new ArrayList<>(limit.size());
		for (int i = 0; i < limit.size(); i++) {
			Interval interval = now.get(i);
			long left = limit.capacity(i) - interval.taken();
			long ends = interval.start() + limit.windowMicros(i) - nowMicros;
			long retry = 0;
			if (cost > left) {
				retry = (cost > limit.capacity(i)) ? Usage.NEVER : ends;
			}
			usage.add(new Usage(left, (interval.taken() > 0) ? ends : 0, retry));
		}
		return new AcquireResult.Refused(usage);
	}

	/** Takes the cost. */
	private static AcquireResult admission(Limit limit, long cost, List<Interval> now, long nowMicros) {
		List<Usage> usage = new ArrayList<>(limit.size());
		List<Long> receipts = new ArrayList<>(limit.size());
		for (int i = 0; i < limit.size(); i++) {
			Interval before = now.get(i);
			receipts.add(2 * before.began() + ((before.taken() == 0) ? 1 : 0));
			Interval interval = before.plus(cost);
			now.set(i, interval);
			usage.add(new Usage(limit.capacity(i) - interval.taken(),
					interval.start() + limit.windowMicros(i) - nowMicros, 0));
		}
		return new AcquireResult.Admitted(usage, receipts);
	}

	/** Other intervals stay until they end, the most recently requested first. */
	private void remember(Limit limit, List<Interval> now, long nowMicros) {
		this.lastMicros = nowMicros;
		if (FixedWindow.holdsNoOthers(this.intervals, limit)) {
			put(limit, now);
			this.endMicros = nowMicros + limit.windowMicros(limit.size() - 1);
			return;
		}
		Map<Long, Interval> before = new LinkedHashMap<>(this.intervals);
		this.intervals.clear();
		put(limit, now);
		before.keySet().removeAll(this.intervals.keySet());
		before.entrySet()
			.stream()
			.filter((entry) -> entry.getValue().taken() > 0 && nowMicros < entry.getValue().start() + entry.getKey())
			.limit(FixedWindow.MOST_OTHERS)
			.forEach((entry) -> this.intervals.put(entry.getKey(), entry.getValue().noLaterThan(nowMicros)));
		// No interval ends later, including one that is postponed because its first
		// permit is released.
		this.endMicros = nowMicros + this.intervals.keySet().stream().mapToLong(Long::longValue).max().orElse(0);
	}

	private void put(Limit limit, List<Interval> now) {
		for (int i = 0; i < limit.size(); i++) {
			this.intervals.put(limit.windowMicros(i), now.get(i));
		}
	}

	@Override
	public boolean release(Limit limit, String id, long cost, List<Long> receipts) {
		for (int i = 0; i < receipts.size(); i++) {
			long receipt = receipts.get(i);
			boolean beganIt = receipt % 2 == 1;
			this.intervals.computeIfPresent(limit.windowMicros(i), (window, interval) -> {
				if (interval.began() != receipt / 2) {
					return interval;
				}
				Interval rest = interval.plus(-cost);
				if (rest.taken() <= 0) {
					return null;
				}
				return (beganIt || rest.isPutOff()) ? rest.startingAt(Math.max(rest.start(), this.lastMicros)) : rest;
			});
		}
		return receipts.size() == limit.size();
	}

	@Override
	public boolean isIdle(long nowMicros) {
		return this.endMicros <= nowMicros;
	}

	/**
	 * The time between two refills.
	 *
	 * @param taken the number of permits taken; 0 if the interval has not begun
	 * @param began when its first permit was taken, which identifies the interval
	 * @param start the instant from which it is as long as the window
	 */
	private record Interval(long taken, long began, long start) {

		static Interval at(@Nullable Interval held, Limit limit, int index, long nowMicros) {
			if (held == null || held.taken == 0 || held.start + limit.windowMicros(index) <= nowMicros) {
				return new Interval(0, nowMicros, nowMicros);
			}
			return new Interval(Math.min(held.taken, limit.capacity(index)), held.began,
					held.noLaterThan(nowMicros).start);
		}

		/**
		 * Where the clock has stepped back, an interval of the future counts as of now.
		 */
		Interval noLaterThan(long nowMicros) {
			return (this.start > nowMicros) ? startingAt(nowMicros) : this;
		}

		Interval plus(long cost) {
			return new Interval(this.taken + cost, this.began, this.start);
		}

		/**
		 * If so, the request that it was postponed to may be the one that is released
		 * now.
		 */
		boolean isPutOff() {
			return this.start > this.began;
		}

		Interval startingAt(long start) {
			return new Interval(this.taken, this.began, start);
		}

	}

}
