package dev.ratelimit.autoconfigure;

import dev.ratelimit.spi.RulesNotEnforceableException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Explains why rules cannot be enforced.
 */
class RulesNotEnforceableFailureAnalyzer extends AbstractFailureAnalyzer<RulesNotEnforceableException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, RulesNotEnforceableException cause) {
		return new FailureAnalysis(cause.summary() + ". " + cause.reason() + ".", cause.cure() + ".", cause);
	}

}
