package dev.ratelimit.store;

/**
 * Notified of the outcome of work that a store continued after its caller's time was
 * over: {@link Fate#AWAITED} and {@link SettlementResult#AWAITED}. Called on a thread
 * that only notifies listeners; implementations must not throw.
 */
@FunctionalInterface
public interface LateReplyListener {

	/**
	 * Permits were released in the background. Not called if it turned out that none had
	 * been taken.
	 * @param rule the id of the rule
	 * @param acknowledged whether the store acknowledged the release; if not, the permits
	 * may stay counted until their window has passed
	 */
	void released(String rule, boolean acknowledged);

}
