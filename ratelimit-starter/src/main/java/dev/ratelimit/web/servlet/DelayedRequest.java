package dev.ratelimit.web.servlet;

import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimitDecision.Allowed;
import dev.ratelimit.limiter.RequestDecision;
import dev.ratelimit.limiter.RuleDecision;

/**
 * A request that waits for its turn.
 *
 * @param rules the ids of the rules that gave it turns which are still to come
 * @param sinceNanos when it got the first of them, on the monotonic clock
 * @param dueNanos when the last of them comes
 * @param stage where it stands
 */
record DelayedRequest(List<String> rules, long sinceNanos, long dueNanos, AtomicReference<Phase> stage) {

	/** A request waits that got turns just now. */
	static DelayedRequest of(RequestDecision verdict, long answeredNanos) {
		List<String> rules = verdict.decided()
			.stream()
			.filter((one) -> !one.isShadow())
			.map(RuleDecision::decision)
			.filter((one) -> one instanceof Allowed allowed && !allowed.delay().isZero())
			.map(RateLimitDecision::rule)
			.toList();
		return new DelayedRequest(rules, answeredNanos, answeredNanos + verdict.delay().toNanos(),
				new AtomicReference<>(Phase.TO_COME));
	}

	/** Both turns must have come. */
	DelayedRequest with(DelayedRequest other) {
		return new DelayedRequest(Stream.concat(this.rules.stream(), other.rules.stream()).distinct().toList(),
				this.sinceNanos, (this.dueNanos - other.dueNanos > 0) ? this.dueNanos : other.dueNanos, this.stage);
	}

	/** Go on; false if somebody else did. */
	boolean move(Phase from, Phase to) {
		return this.stage.compareAndSet(from, to);
	}

	boolean isAt(Phase stage) {
		return this.stage.get() == stage;
	}

	/** Where a wait stands. */
	enum Phase {

		/** Nobody waits yet: the request is on its way to where it can. */
		TO_COME,

		/** Somebody waits. */
		WAITING,

		/** The turn has come. */
		OVER,

		/** The client is gone, or the application stops. */
		LEFT

	}

}
