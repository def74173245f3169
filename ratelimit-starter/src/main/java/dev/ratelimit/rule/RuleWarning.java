package dev.ratelimit.rule;

/**
 * The warnings of settings that are allowed in a rule but hardly meant.
 */
public enum RuleWarning {

	/** A threshold can never be reached. */
	POINTLESS_THRESHOLD,

	/** A key of a log may use much memory of the store. */
	LOG_MEMORY,

	/** Clients choose their plan. */
	CLIENT_CHOSEN_PLAN,

	/** The plans have more windows than a key stores. */
	PLAN_WINDOWS,

	/** Secrets can be guessed without a limit during an outage of the store. */
	FAIL_OPEN_LOGIN,

	/** No request has the principal by which the rule counts. */
	NO_AUTHENTICATION,

	/** Clients choose the key by which they are counted. */
	CLIENT_CHOSEN_KEY,

	/** Clients can take the permits of others by slow requests. */
	CLIENT_HELD_PERMITS,

	/** A limit of all data centres is one of each, because none is listed. */
	NO_PEERS,

	/** A data centre admits nothing. */
	NO_SHARE,

	/** A window ends before data centres have exchanged much. */
	SHORT_WINDOW

}
