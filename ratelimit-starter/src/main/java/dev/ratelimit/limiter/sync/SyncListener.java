package dev.ratelimit.limiter.sync;

/**
 * Notified of the fate of permits that were counted on this instance alone. Called on a
 * thread that only notifies listeners; implementations must not throw.
 */
@FunctionalInterface
public interface SyncListener {

	/**
	 * The store may never count some permits: they were sent, and it did not respond.
	 * @param rule the id of the rule
	 * @param permits how many
	 */
	void lost(String rule, long permits);

}
