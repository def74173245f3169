package dev.ratelimit.limiter;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Whether requests reach a rule at all. All that it covers may be answered before it is
 * decided. Safe for concurrent use.
 */
public final class Reach {

	private final AtomicLong missed = new AtomicLong();

	private volatile boolean reached;

	/** A request has reached the rule. Costs the read of a flag, except once. */
	public void reach() {
		if (!this.reached) {
			this.reached = true;
		}
	}

	/**
	 * A request that the rule covers was answered before.
	 * @return the number of such requests while none has reached the rule; from then on 0
	 */
	public long miss() {
		return this.reached ? 0 : this.missed.incrementAndGet();
	}

	/**
	 * How many requests were answered before they reached the rule.
	 * @return their number while none has reached it; from then on 0
	 */
	public long missed() {
		return this.reached ? 0 : this.missed.get();
	}

}
