package dev.ratelimit.web;

import java.util.OptionalInt;

import dev.ratelimit.rule.CountOn;

/**
 * How a request has ended.
 *
 * @param status the status of the response
 * @param unwritten the status of another response, in place of which the client receives
 * this one, as it could not be written
 * @param refusedAuthentication whether Spring Security has refused an authentication
 * @param passedSecurity whether the request has reached its handler all the same
 */
record RequestOutcome(int status, OptionalInt unwritten, boolean refusedAuthentication, boolean passedSecurity) {

	/** Whether any of this counts. */
	boolean isCountedBy(CountOn countOn) {
		return countOn.counts(this.status, this.refusedAuthentication)
				|| (this.passedSecurity && countOn.counts(this.status))
				|| (this.unwritten.isPresent() && countOn.counts(this.unwritten.getAsInt()));
	}

}
