package dev.ratelimit.web;

import java.util.List;
import java.util.Optional;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.web.RouteTable.Match;

/**
 * What is to be done with a request, as the rules have decided. Everything that was to be
 * counted, or to be released, already is, except where a module takes the request. Tested
 * by {@code RequestDeciderTests}.
 */
public sealed interface RequestAction {

	/**
	 * The request goes on.
	 *
	 * @param reports whether there are new decisions, which the headers report
	 */
	record Proceed(boolean reports) implements RequestAction {

		private static final Proceed WITH_REPORT = new Proceed(true);

		private static final Proceed WITHOUT_REPORT = new Proceed(false);

		static Proceed of(boolean reports) {
			return reports ? WITH_REPORT : WITHOUT_REPORT;
		}

	}

	/**
	 * The request goes on when its turn has come.
	 *
	 * @param turn the wait
	 * @param reports whether there are new decisions, which the headers report
	 */
	record AwaitTurn(DelayedRequest turn, boolean reports) implements RequestAction {
	}

	/**
	 * The request is refused.
	 *
	 * @param reported the decisions that the headers report
	 * @param refusals the decisions that refused; empty if the request lacks a key that a
	 * rule requires
	 * @param refusing the match of a rule that refused; empty if the request is not
	 * refused by a rule that matches it
	 */
	record Refuse(List<ReportedDecision> reported, List<RateLimitDecision> refusals,
			Optional<Match> refusing) implements RequestAction {
	}

	/**
	 * A module is to take the request, to handle it later, as its rules have no permits
	 * for it.
	 *
	 * @param attempt what the adapter tries
	 * @param matches the matches of the request
	 */
	record TakeLater(LaterAttempt attempt, List<Match> matches) implements RequestAction {
	}

}
