package dev.ratelimit.rule.live;

/**
 * Hears what becomes of rules that are read while the application runs, on the thread
 * that reads them.
 */
public interface RulesListener {

	/**
	 * Other rules were read, and are in force.
	 * @param origin where
	 */
	void changed(RuleOrigin origin);

	/**
	 * Rules could not be read, or could not be brought into force; the last good ones
	 * stay. Told again at each look.
	 * @param origin where
	 */
	void refused(RuleOrigin origin);

}
