package dev.ratelimit.rule.live;

import java.util.Locale;

/**
 * The kinds of places that rules come from, the one whose rules count first.
 */
public enum RuleOrigin {

	/** A {@link dev.ratelimit.rule.RuleSource} bean. */
	BEAN,

	/** A table of a database. */
	JDBC,

	/** A file of rules. */
	FILE,

	/** The configuration of the application. */
	ENVIRONMENT;

	/**
	 * Its name for people and meters.
	 * @return the name in lower case
	 */
	public String text() {
		return name().toLowerCase(Locale.ROOT);
	}

}
