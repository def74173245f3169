package dev.ratelimit.limiter;

import java.util.List;
import java.util.Optional;

/**
 * What a rule has to know of a request, or of a call of a method, to apply to it. Each
 * fact is read at most once, in the order of these methods, and only if it matters.
 */
public interface RuleApplicationFacts {

	/**
	 * Whether the condition of the rule holds.
	 * @return whether it does, or there is none
	 */
	boolean meetsCondition();

	/**
	 * The key.
	 * @return one value per key source of the rule; empty if one is missing
	 */
	Optional<List<String>> key();

	/**
	 * The plan.
	 * @return its name; empty if there is none
	 */
	Optional<String> plan();

	/**
	 * The cost.
	 * @return how many permits are to be acquired; at least 1
	 */
	long cost();

	/**
	 * The address of the client, by which a rule may count a request without its key.
	 * @return the address; empty if it is not known
	 */
	Optional<String> address();

	/**
	 * Request a turn, which is the instant at which a delayed request may go on, if the
	 * rule delays requests and this one can be delayed.
	 * @param ruleRequest the request to the rule
	 * @return the same, with a turn if so
	 */
	RuleRequest withTurn(RuleRequest ruleRequest);

}
