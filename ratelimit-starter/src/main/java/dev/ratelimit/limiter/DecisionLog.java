package dev.ratelimit.limiter;

import java.util.List;
import java.util.stream.Collectors;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimitDecision.Quota;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.support.LogFields;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs decisions at DEBUG, one line for each rule of a request: the rule and the sources
 * of its key, what it decided from the counters, and the outcome for the request. A line
 * consists of configuration and numbers, so it does not identify the client. At any other
 * level a decision costs a look at the level. Tested by {@code StructuredLogTests}.
 */
public final class DecisionLog implements DecisionListener {

	/** The category that users switch on. */
	static final String CATEGORY = "dev.ratelimit.decisions";

	private static final Logger logger = LoggerFactory.getLogger(CATEGORY);

	@Override
	public boolean isTimed() {
		return false;
	}

	@Override
	public void decided(RuleRequest ruleRequest, RateLimitDecision decision, Outcome outcome, long nanos) {
		if (logger.isDebugEnabled()) {
			RLConfig rule = ruleRequest.rule().config();
			logger.atDebug()
				.addKeyValue(LogFields.RULE, decision.rule())
				.addKeyValue(LogFields.OUTCOME, LogFields.text(outcome))
				.addKeyValue(LogFields.SOURCE, LogFields.text(decision.source()))
				.log("Rule %s, key %s%s: %s by %s%s".formatted(decision.rule(), rule.key().sources(),
						rule.enforcement().shadow() ? ", in shadow" : "", LogFields.text(outcome),
						LogFields.text(decision.source()), quotas(decision.quotas())));
		}
	}

	private static String quotas(List<Quota> quotas) {
		return quotas.stream()
			.map((quota) -> "; %s has %d of %d left".formatted(quota.policy(), quota.remaining(), quota.limit()))
			.collect(Collectors.joining());
	}

	@Override
	public void undecided(String rule, Outcome outcome) {
		if (logger.isDebugEnabled()) {
			logger.atDebug()
				.addKeyValue(LogFields.RULE, rule)
				.addKeyValue(LogFields.OUTCOME, LogFields.text(outcome))
				.addKeyValue(LogFields.SOURCE, LogFields.text(RateLimitDecision.Source.NONE))
				.log("Rule %s: %s".formatted(rule, (outcome == Outcome.SKIPPED) ? "skipped, as it does not apply"
						: LogFields.text(outcome) + ", as its key is missing"));
		}
	}

}
