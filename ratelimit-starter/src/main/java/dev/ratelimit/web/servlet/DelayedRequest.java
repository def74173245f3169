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
 * @param rules the ids of the delaying rules whose turns are still to come
 * @param sinceNanos when the first of them delayed it, on the monotonic clock
 * @param dueNanos when the last of its turns comes
 * @param stage the phase of the wait
 */
record DelayedRequest(List<String> rules, long sinceNanos, long dueNanos, AtomicReference<Phase> stage) {

	/** A request that was delayed just now. */
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

	/** Combine two waits: both turns must have come. */
	DelayedRequest with(DelayedRequest other) {
		return new DelayedRequest(Stream.concat(this.rules.stream(), other.rules.stream()).distinct().toList(),
				this.sinceNanos, (this.dueNanos - other.dueNanos > 0) ? this.dueNanos : other.dueNanos, this.stage);
	}

	/**
	 * Change the phase.
	 * @return {@code false} if another thread did
	 */
	boolean move(Phase from, Phase to) {
		return this.stage.compareAndSet(from, to);
	}

	boolean isAt(Phase stage) {
		return this.stage.get() == stage;
	}

	/** The phase of a wait. */
	enum Phase {

		/** The wait has not begun: the request is on its way to its handler. */
		TO_COME,

		/** The request waits. */
		WAITING,

		/** The turn has come. */
		OVER,

		/** The client has left, or the application stops. */
		LEFT

	}

}
