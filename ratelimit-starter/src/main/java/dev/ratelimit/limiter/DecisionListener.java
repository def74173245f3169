package dev.ratelimit.limiter;

import java.util.List;

import dev.ratelimit.RateLimitDecision;

/**
 * Hears of every decision, on the thread of the request: be quick and do not throw. Who
 * asked is told where it is asked for only, and not to be logged.
 */
public interface DecisionListener {

	/**
	 * A rule decided.
	 * @param decision the decision
	 * @param outcome what came of it
	 * @param nanos how long the decision took, all rules of the request together
	 */
	void decided(RateLimitDecision decision, Outcome outcome, long nanos);

	/**
	 * A rule decided about somebody.
	 * @param decided the decision, and who asked
	 * @param outcome what came of it
	 * @param nanos how long the decision took, all rules of the request together
	 */
	default void decided(RuleDecision decided, Outcome outcome, long nanos) {
		decided(decided.decision(), outcome, nanos);
	}

	/**
	 * A rule matched a request but does not apply to it, or refused it for lack of a key.
	 * @param rule the id of the rule
	 * @param outcome {@link Outcome#SKIPPED} or {@link Outcome#REJECTED}
	 */
	void undecided(String rule, Outcome outcome);

	/**
	 * A rule is decided at the handler, because what the filter saw did not tell that it
	 * covers the request: after a forward or an include, or where something behind the
	 * filter changed path or method.
	 * @param rule the id of the rule
	 */
	void late(String rule);

	/**
	 * Permits were given back, because another rule refused or their outcome does not
	 * count.
	 * @param rule the id of the rule
	 * @param acknowledged whether the store said so; if not, they stay counted until
	 * their window has passed
	 */
	void released(String rule, boolean acknowledged);

	/**
	 * A request begins to wait for its turn.
	 * @param rule the id of the rule
	 */
	default void waits(String rule) {
	}

	/**
	 * A request has waited for its turn, or has left before.
	 * @param rule the id of the rule
	 * @param nanos for how long it has waited
	 */
	default void waited(String rule, long nanos) {
	}

	/**
	 * A bean that a rule names threw an exception, or answered null.
	 * @param rule the id of the rule
	 * @param property the key of the rule that names it, such as {@code cost}
	 */
	default void beanFailed(String rule, String property) {
	}

	/**
	 * Tell nobody.
	 * @return a listener that does nothing
	 */
	static DecisionListener none() {
		return all(List.of());
	}

	/**
	 * Tell several listeners. One that throws is logged at DEBUG and harms neither the
	 * request nor the others.
	 * @param listeners the listeners
	 * @return one listener
	 */
	static DecisionListener all(List<DecisionListener> listeners) {
		return new DecisionListeners(listeners);
	}

	/** What came of a decision. */
	enum Outcome {

		/** The request may go on. */
		ALLOWED,

		/** The rule refused, or in shadow would have. */
		REJECTED,

		/** The request may go on when its turn has come, or in shadow would have. */
		DELAYED,

		/** The rule admitted, another one refused, and the permit was given back. */
		RELEASED,

		/** The rule matched but did not apply. */
		SKIPPED,

		/** The rule refused, and keeps the request for later. */
		ENQUEUED

	}

}
