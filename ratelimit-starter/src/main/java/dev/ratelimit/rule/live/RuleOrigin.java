package dev.ratelimit.rule.live;

import dev.ratelimit.support.LogFields;

/**
 * The kinds of sources of rules, the one with the highest precedence first.
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
	 * The name for logs and meters.
	 * @return the name in lower case
	 */
	public String text() {
		return LogFields.text(this);
	}

}
