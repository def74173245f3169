package dev.ratelimit.web;

import java.util.List;
import java.util.Optional;

import dev.ratelimit.limiter.DecisionListener.Outcome;
import dev.ratelimit.limiter.RuleDecision;
import dev.ratelimit.rule.RLConfig;

/**
 * What one rule made of a request that was replayed.
 *
 * @param rule the rule
 * @param outcome what came of it; nothing where another rule refused before this one was
 * asked
 * @param key whom it counted: one value per key source; none where the request lacks its
 * key
 * @param decided what was decided; nothing where no store had to be asked: the rule does
 * not apply, or refuses a request without its key, or was not asked itself
 */
public record Replayed(RLConfig rule, Optional<Outcome> outcome, List<String> key, Optional<RuleDecision> decided) {

	public Replayed {
		key = List.copyOf(key);
	}

}
