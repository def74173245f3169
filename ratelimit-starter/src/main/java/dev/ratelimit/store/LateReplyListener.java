package dev.ratelimit.store;

/**
 * Hears how it ended what a store has gone on with after its caller's time was over:
 * {@link AcquireResult.Fate#AWAITED} and {@link ReleaseResult#AWAITED}. Called on threads
 * of the store: be quick and do not throw.
 */
@FunctionalInterface
public interface LateReplyListener {

	/**
	 * Permits were given back in the background. Not called where it turned out that none
	 * had been taken.
	 * @param rule the id of the rule
	 * @param acknowledged whether the store said so; if not, they may stay counted until
	 * their window has passed
	 */
	void released(String rule, boolean acknowledged);

}
