package dev.ratelimit.web;

import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimitDecision.Allowed;
import dev.ratelimit.limiter.RequestDecision;
import dev.ratelimit.limiter.RuleDecision;

/**
 * The wait of a request for its turn. Its phase is changed by the adapter that lets the
 * request wait. Tested by {@code DelayedRequestsTests}.
 */
public final class DelayedRequest {

	private final List<String> rules;

	private final long sinceNanos;

	private final long dueNanos;

	private final AtomicReference<Phase> phase;

	/**
	 * Create a wait that has not begun.
	 * @param rules the ids of the delaying rules whose turns are still to come
	 * @param sinceNanos when the first of them delayed the request, on the monotonic
	 * clock
	 * @param dueNanos when the last of the turns comes
	 */
	public DelayedRequest(List<String> rules, long sinceNanos, long dueNanos) {
		this(rules, sinceNanos, dueNanos, new AtomicReference<>(Phase.TO_COME));
	}

	private DelayedRequest(List<String> rules, long sinceNanos, long dueNanos, AtomicReference<Phase> phase) {
		this.rules = rules;
		this.sinceNanos = sinceNanos;
		this.dueNanos = dueNanos;
		this.phase = phase;
	}

	/** The wait of a request that was delayed just now. */
	static DelayedRequest of(RequestDecision decision, long answeredNanos) {
		List<String> rules = decision.decided()
			.stream()
			.filter((one) -> !one.isShadow())
			.map(RuleDecision::decision)
			.filter((one) -> one instanceof Allowed allowed && !allowed.delay().isZero())
			.map(RateLimitDecision::rule)
			.toList();
		return new DelayedRequest(rules, answeredNanos, answeredNanos + decision.delay().toNanos());
	}

	/** Combine two waits: both turns must have come. */
	DelayedRequest with(DelayedRequest other) {
		return new DelayedRequest(Stream.concat(this.rules.stream(), other.rules.stream()).distinct().toList(),
				this.sinceNanos, (this.dueNanos - other.dueNanos > 0) ? this.dueNanos : other.dueNanos, this.phase);
	}

	/**
	 * The delaying rules.
	 * @return the ids of those whose turns are still to come
	 */
	public List<String> rules() {
		return this.rules;
	}

	/**
	 * When the first rule delayed the request.
	 * @return a time on the monotonic clock
	 */
	public long sinceNanos() {
		return this.sinceNanos;
	}

	/**
	 * When the last of the turns comes.
	 * @return a time on the monotonic clock
	 */
	public long dueNanos() {
		return this.dueNanos;
	}

	/**
	 * Change the phase.
	 * @param from the phase before
	 * @param to the phase afterwards
	 * @return {@code false} if another thread did
	 */
	public boolean move(Phase from, Phase to) {
		return this.phase.compareAndSet(from, to);
	}

	/**
	 * Whether the wait is in a phase.
	 * @param phase the phase
	 * @return whether it is the current one
	 */
	public boolean isAt(Phase phase) {
		return this.phase.get() == phase;
	}

	/** The phase of a wait. */
	public enum Phase {

		/** The wait has not begun: the request is on its way to its handler. */
		TO_COME,

		/** The request waits. */
		WAITING,

		/** The turn has come, the client has left, or the application stops. */
		OVER

	}

}
