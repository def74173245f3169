package dev.ratelimit.web.servlet;

/**
 * What becomes of a request where its rules are decided, or where it comes to its turn.
 * Tested by {@code DelayTests}.
 */
enum RequestStep {

	/** It goes on. */
	GOES_ON,

	/** It waits elsewhere: its turn is still to come, and it does not wait here. */
	WAITS,

	/** It was answered or, as a part of another request, is left out. */
	ANSWERED

}
