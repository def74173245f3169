package dev.ratelimit.backtest.replay;

import java.util.List;
import java.util.Optional;

import dev.ratelimit.limiter.DecisionListener.Outcome;
import dev.ratelimit.limiter.RuleDecision;
import dev.ratelimit.rule.RLConfig;

/**
 * The result of one rule for a replayed request.
 *
 * @param rule the rule
 * @param outcome the outcome; empty if another rule refused before this one was evaluated
 * @param key the key it counted by: one value per key source; empty if the request lacks
 * its key
 * @param decided the decision; empty if no store call was needed: the rule does not
 * apply, or refuses a request without its key, or was not evaluated itself
 */
public record Replayed(RLConfig rule, Optional<Outcome> outcome, List<String> key, Optional<RuleDecision> decided) {

	public Replayed {
		key = List.copyOf(key);
	}

}
