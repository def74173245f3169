package dev.ratelimit.limiter;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Whether requests reach a rule at all: its paths may match none, and all that they match
 * may be answered before the rule is decided. Safe for concurrent use. Tested by
 * {@code MatchedRequestsTests}.
 */
public final class Reach {

	private final LongAdder matched = new LongAdder();

	private final AtomicLong missed = new AtomicLong();

	private final AtomicBoolean named = new AtomicBoolean();

	private volatile boolean reached;

	/** The paths and methods of the rule match a request. */
	public void match() {
		this.matched.increment();
	}

	/**
	 * How many requests the rule has matched, whether or not it was decided.
	 * @return their number
	 */
	public long matched() {
		return this.matched.sum();
	}

	/**
	 * Whether to name the rule, because it has matched no request.
	 * @return whether it has matched none; {@code true} once at most
	 */
	public boolean nameUnmatched() {
		return matched() == 0 && !this.named.getAndSet(true);
	}

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
