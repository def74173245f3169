package dev.ratelimit.rule.config;

import java.util.Optional;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.RLConfigBuilder;
import dev.ratelimit.spi.InvalidSettingsException;

/**
 * The defaults of {@code ratelimit.defaults} for rules from other sources.
 */
public final class RuleDefaults {

	private final RuleReader reader;

	private final Findings findings;

	RuleDefaults(RuleReader reader, Findings findings) {
		this.reader = reader;
		this.findings = findings;
	}

	/**
	 * Start a rule that has the defaults.
	 * @param id its id
	 * @param algorithm its algorithm; empty for that of the defaults. A default that the
	 * algorithm does not support is left out
	 * @return the rule, without thresholds
	 * @throws InvalidSettingsException if a default is wrong
	 */
	public RLConfigBuilder rule(String id, Optional<Algorithm> algorithm) {
		RLConfigBuilder rule = this.reader.begin(id, algorithm);
		this.findings.throwIfAny();
		return rule;
	}

}
