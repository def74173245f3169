package dev.ratelimit.support;

import java.util.Locale;

/**
 * The keys of the key-value pairs of log lines, for structured logging. They are named as
 * the tags of the meters, behind a prefix that sets them apart from the fields of the
 * application and of the log's format. No value identifies a client.
 */
public final class LogFields {

	/** The id of a rule. */
	public static final String RULE = "ratelimit.rule";

	/** The outcome of a decision. */
	public static final String OUTCOME = "ratelimit.outcome";

	/** The source of a decision, or the kind of a source of rules. */
	public static final String SOURCE = "ratelimit.source";

	/** The store, with its address. */
	public static final String STORE = "ratelimit.store";

	/** Why the store did not answer. */
	public static final String REASON = "ratelimit.reason";

	/** The number of requests that the store did not answer. */
	public static final String REQUESTS = "ratelimit.requests";

	/** Another data centre, or several. */
	public static final String PEER = "ratelimit.peer";

	/** The number of rules in force. */
	public static final String RULES = "ratelimit.rules";

	/** The ids of new rules. */
	public static final String ADDED = "ratelimit.added";

	/** The ids of changed rules. */
	public static final String CHANGED = "ratelimit.changed";

	/** The ids of removed rules. */
	public static final String REMOVED = "ratelimit.removed";

	private LogFields() {
	}

	/**
	 * A constant as a field names it, and the tag of a meter.
	 * @param constant the constant
	 * @return its name in lower case
	 */
	public static String text(Enum<?> constant) {
		return constant.name().toLowerCase(Locale.ROOT);
	}

}
