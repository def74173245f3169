package dev.ratelimit.memcached;

import java.util.List;
import java.util.Optional;

import dev.ratelimit.memcached.meta.MetaCommands;
import dev.ratelimit.memcached.meta.MetaReply;

/**
 * Windows that begin at whole multiples of their length, on the clock of the instances:
 * one key per window and number. A receipt is the end of its window.
 */
enum AlignedKeys implements WindowKeys {

	/** Fixed windows of synced rules. */
	SYNCED_FIXED(":a1:", 1),

	/** Sliding-window counters, which read the window before, too. */
	TWO_COUNTERS(":c1:", 2);

	private final String kind;

	private final int windows;

	AlignedKeys(String kind, int windows) {
		this.kind = kind;
		this.windows = windows;
	}

	@Override
	public int replies() {
		return this.windows;
	}

	@Override
	public void count(MetaCommands commands, Place place, long cost) {
		count(commands, place, cost, place.aligned());
	}

	@Override
	public void read(MetaCommands commands, Place place) {
		count(commands, place, 0, place.aligned());
	}

	/**
	 * Add the commands that count a cost where a receipt says, and read the others. What
	 * has passed is not counted; where the clock has stepped back, the cost counts now.
	 */
	void countAt(MetaCommands commands, Place place, long cost, long receipt) {
		count(commands, place, cost, numberAt(place, receipt));
	}

	/** The reply that has counted where a receipt says; empty where that has passed. */
	Optional<MetaReply> replyAt(List<?> replies, Place place, long receipt) {
		long index = numberAt(place, receipt) - place.aligned() + this.windows - 1;
		return (index < 0) ? Optional.empty() : Optional.of((MetaReply) replies.get((int) index));
	}

	private static long numberAt(Place place, long receipt) {
		return Math.min(number(place, receipt), place.aligned());
	}

	private void count(MetaCommands commands, Place place, long cost, long number) {
		for (long window = place.aligned() - this.windows + 1; window <= place.aligned(); window++) {
			if (window == number && cost > 0) {
				commands.countUp(key(place, window), lifetimeSeconds(place), cost, place.nowSeconds());
			}
			else {
				commands.read(key(place, window));
			}
		}
	}

	/** A window that is the one before counts for as long again. */
	private long lifetimeSeconds(Place place) {
		return this.windows * place.windowSeconds() + 1;
	}

	private String key(Place place, long number) {
		return place.key(this.kind) + ":" + number;
	}

	private static long number(Place place, long receipt) {
		return receipt / place.windowMicros() - 1;
	}

	@Override
	public void release(MetaCommands commands, Place place, long cost, long receipt) {
		if (!hasEnded(place, receipt)) {
			commands.countDown(key(place, number(place, receipt)), cost);
		}
	}

	@Override
	public boolean hasEnded(Place place, long receipt) {
		return number(place, receipt) <= place.aligned() - this.windows;
	}

	@Override
	public void delete(MetaCommands commands, Place place) {
		for (long window = place.aligned() - this.windows + 1; window <= place.aligned(); window++) {
			commands.delete(key(place, window));
		}
	}

	@Override
	public Optional<WindowState> state(List<MetaReply> replies, Place place) {
		if (replies.stream().anyMatch(MetaReply.NotRun.class::isInstance)) {
			return Optional.empty();
		}
		long current = WindowKeys.countOf(replies.get(this.windows - 1));
		if (this == TWO_COUNTERS) {
			return Optional.of(TwoCountersState.of(place.limit(), place.index(), current,
					WindowKeys.countOf(replies.get(0)), place.nowMicros()));
		}
		return Optional
			.of(new FixedState(place.limit().count(place.index()), current, endMicros(place) - place.nowMicros()));
	}

	/**
	 * A window before that could not be read does not undo what is counted in this one.
	 */
	@Override
	public Optional<Long> receipt(List<MetaReply> replies, Place place) {
		return (replies.get(this.windows - 1) instanceof MetaReply.Count) ? Optional.of(endMicros(place))
				: Optional.empty();
	}

	/** The receipt of the current window. */
	static long endMicros(Place place) {
		return (place.aligned() + 1) * place.windowMicros();
	}

}
