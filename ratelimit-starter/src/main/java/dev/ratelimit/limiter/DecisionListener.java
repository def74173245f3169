package dev.ratelimit.limiter;

import java.util.List;

import dev.ratelimit.RateLimitDecision;

/**
 * Notified of every decision, on the thread of the request, and of every release, also on
 * a thread that only notifies listeners: implementations must be quick and must not
 * throw. The subject of a request must not be logged.
 */
public interface DecisionListener {

	/**
	 * Whether this listener uses how long decisions took. Where none does, no clock is
	 * read for that.
	 * @return whether it does; asked once, before the first decision
	 */
	default boolean isTimed() {
		return true;
	}

	/**
	 * A rule decided.
	 * @param ruleRequest what the rule requested, with the subject
	 * @param decision the decision; for a rule in shadow, what it would have decided
	 * @param outcome the outcome for the request
	 * @param nanos how long the decision took, for all rules of the request together; 0
	 * if no listener {@linkplain #isTimed() uses} it
	 */
	default void decided(RuleRequest ruleRequest, RateLimitDecision decision, Outcome outcome, long nanos) {
	}

	/**
	 * A rule matched a request but does not apply to it, or refused it because its key is
	 * missing.
	 * @param rule the id of the rule
	 * @param outcome {@link Outcome#SKIPPED} or {@link Outcome#REJECTED}
	 */
	default void undecided(String rule, Outcome outcome) {
	}

	/**
	 * A rule is decided at the handler, because the filter could not see that it covers
	 * the request. That happens after a forward or an include, or if a component behind
	 * the filter changed the path or method.
	 * @param rule the id of the rule
	 */
	default void late(String rule) {
	}

	/**
	 * A request that a rule behind Spring Security covers was answered before it reached
	 * the rule, by Spring Security or by another filter.
	 * @param rule the id of the rule
	 */
	default void unreached(String rule) {
	}

	/**
	 * Permits were released, because another rule refused or their outcome does not
	 * count.
	 * @param rule the id of the rule
	 * @param acknowledged whether the store confirmed the release; if not, the permits
	 * stay counted until their window has passed
	 */
	default void released(String rule, boolean acknowledged) {
	}

	/**
	 * A request starts to wait for its turn.
	 * @param rule the id of the rule
	 */
	default void waits(String rule) {
	}

	/**
	 * A request has waited for its turn, or has left before.
	 * @param rule the id of the rule
	 * @param nanos how long it has waited
	 */
	default void waited(String rule, long nanos) {
	}

	/**
	 * A bean that a rule names threw an exception or returned null.
	 * @param rule the id of the rule
	 * @param property the key of the rule that names the bean, such as {@code cost}
	 */
	default void beanFailed(String rule, String property) {
	}

	/**
	 * Create a listener that ignores all events.
	 * @return a listener that does nothing
	 */
	static DecisionListener none() {
		return all(List.of());
	}

	/**
	 * Combine several listeners. One that throws is logged once per type, and affects
	 * neither the request nor the other listeners.
	 * @param listeners the listeners
	 * @return one listener
	 */
	static DecisionListener all(List<DecisionListener> listeners) {
		return new DecisionListeners(listeners);
	}

	/** The outcome of a decision. */
	enum Outcome {

		/** The request may go on. */
		ALLOWED,

		/** The rule refused, or would have refused if it were not in shadow. */
		REJECTED,

		/**
		 * The request may go on when its turn has come, or would have to wait for it if
		 * the rule were not in shadow.
		 */
		DELAYED,

		/** The rule admitted, another one refused, and the permit was released. */
		RELEASED,

		/** The rule matched but did not apply. */
		SKIPPED,

		/** The rule refused, and the request was enqueued for later. */
		ENQUEUED

	}

}
