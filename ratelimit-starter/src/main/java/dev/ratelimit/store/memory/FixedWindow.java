package dev.ratelimit.store.memory;

import dev.ratelimit.store.Limit;

/**
 * A fixed window: a counter, in constant memory. Windows begin at whole multiples of
 * their length. So twice the threshold can pass around the boundary of two windows, and
 * the first window of a new client may be short. The algorithm is the first rate-limiter
 * pattern in the Redis documentation of {@code INCR}. A counter does not know its
 * permits: a request that is sent again counts again. With {@link CountedWindows} the
 * twin of {@code FixedWindow.lua}, step by step, and the oracle that script is tested
 * against. Tested by {@code CounterDefinitionTests}.
 *
 * @param index the number of windows before it
 * @param count the permits
 * @param steps how often the clock has stepped back behind it
 */
record FixedWindow(long index, long count, long steps) implements AlignedWindow<FixedWindow> {

	static final FixedWindow UNUSED = new FixedWindow(0, 0, 0);

	@Override
	public FixedWindow at(Limit limit, int i, long nowMicros) {
		long now = nowMicros / limit.windowMicros(i);
		if (this.index > now) {
			return new FixedWindow(now, this.count, (this.steps + 1) % STEPS);
		}
		return (this.index < now) ? new FixedWindow(now, 0, this.steps) : this;
	}

	@Override
	public long room(Limit limit, int i, long nowMicros) {
		return limit.count(i) - this.count;
	}

	@Override
	public FixedWindow plus(long permits, long age) {
		return (age == 0) ? new FixedWindow(this.index, AlignedWindow.counted(this.count + permits), this.steps) : this;
	}

	@Override
	public FixedWindow keptAt(long nowMicros) {
		return this;
	}

	@Override
	public boolean isUsed() {
		return this.count > 0;
	}

	@Override
	public long endMicros(long window) {
		return (this.index + 1) * window;
	}

}
