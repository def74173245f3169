package dev.ratelimit.rule.live;

/**
 * Notified of the results of reading rules while the application runs, on a thread that
 * only notifies listeners.
 */
public interface RulesListener {

	/**
	 * Other rules were read, and are in force.
	 * @param origin the kind of the source
	 */
	void changed(RuleOrigin origin);

	/**
	 * Rules could not be read, or could not be brought into force; the last valid ones
	 * stay. Notified again at each refresh.
	 * @param origin the kind of the source
	 */
	void refused(RuleOrigin origin);

}
