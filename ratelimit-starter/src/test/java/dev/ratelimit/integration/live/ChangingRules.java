package dev.ratelimit.integration.live;

import java.util.List;

import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.rule.RuleSource;

/**
 * A bean whose rules change.
 */
class ChangingRules implements RuleSource {

	private volatile String thresholds = "1/10m";

	void change(String thresholds) {
		this.thresholds = thresholds;
	}

	@Override
	public RuleSet load() {
		return new RuleSet(List.of(RLConfig.builder("open").paths("/open").thresholds(this.thresholds).build()));
	}

}
