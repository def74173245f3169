package dev.ratelimit.limiter.sync;

/**
 * Hears what became of what was counted on this instance alone. Called in the background:
 * do not throw.
 */
@FunctionalInterface
public interface SyncListener {

	/**
	 * The store may never know of some permits: it was told, and did not answer.
	 * @param rule the id of the rule
	 * @param permits how many
	 */
	void lost(String rule, long permits);

}
