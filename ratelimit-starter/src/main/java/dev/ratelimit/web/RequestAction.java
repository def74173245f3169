package dev.ratelimit.web;

import java.util.List;
import java.util.Optional;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.limiter.RuleApplication;
import dev.ratelimit.limiter.RequestDecision;
import dev.ratelimit.limiter.RuleDecision;
import dev.ratelimit.web.RouteTable.Match;

/**
 * What is to be done with a request, as the rules have decided. Everything that was to be
 * counted, or to be released, already is, except for an attempt to enqueue the request,
 * which {@link RequestDecider#afterAttempt} concludes. Tested by
 * {@code RequestDeciderTests}.
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
	 * The request is to be enqueued, as a rule has no permits for it.
	 *
	 * @param counts the rule, and the subject that it counts
	 * @param path the path of the request within the application
	 * @param matches the matches of the request
	 * @param decision the decision of the rules that enqueue
	 * @param nanos how long it took
	 */
	record TryEnqueue(RuleApplication.Counts counts, String path, List<Match> matches, RequestDecision decision,
			long nanos) implements RequestAction {

		/** The decision of the rule. */
		RuleDecision exhausted() {
			return this.decision.decided()
				.stream()
				.filter((one) -> one.ruleRequest().rule() == this.counts.ruleRequest().rule())
				.findFirst()
				.orElseThrow();
		}

		/**
		 * The match of the rule.
		 * @return one of the matches
		 */
		public Match match() {
			return Match.of(this.matches, this.counts.ruleRequest().rule());
		}

	}

}
