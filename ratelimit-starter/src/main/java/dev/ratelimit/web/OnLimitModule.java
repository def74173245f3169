package dev.ratelimit.web;

import java.util.List;
import java.util.Optional;

import dev.ratelimit.limiter.RequestDecision;
import dev.ratelimit.limiter.RuleApplication;
import dev.ratelimit.limiter.RuleRequest;
import dev.ratelimit.support.Pending;
import dev.ratelimit.support.WaitBudget;

/**
 * A module that does something else with a request over the limit than to refuse it. Its
 * rules are decided last, after all others have admitted: a request that it acts on has
 * passed them, and they count it.
 */
public interface OnLimitModule {

	/**
	 * Whether the module decides a rule.
	 * @param ruleRequest what the rule requests
	 * @return whether it does; if not, the rule is decided as all others
	 */
	boolean decides(RuleRequest ruleRequest);

	/**
	 * Decide its rules of a request. Called when the decision has begun, and may wait for
	 * its own store then.
	 * @param counts the rules, with the subjects that they count; at least one
	 * @param path the path of the request within the application
	 * @param budget how long the request may still wait
	 * @return the decision
	 */
	Pending<Decided> decide(List<RuleApplication.Counts> counts, String path, WaitBudget budget);

	/** What an adapter does for the module; each web stack has its own form. */
	interface Action {

	}

	/**
	 * The decision of the rules of a module.
	 *
	 * @param decision the decision
	 * @param action what is to be done in place of a refusal; its end brings the decision
	 * that counts
	 */
	record Decided(RequestDecision decision, Optional<Action> action) {

		/**
		 * A decision like that of other rules.
		 * @param decision the decision
		 */
		public Decided(RequestDecision decision) {
			this(decision, Optional.empty());
		}

	}

}
