package dev.ratelimit.autoconfigure;

import dev.ratelimit.method.annotated.InvalidAnnotationException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Names a wrong annotation, its method and the cure.
 */
class InvalidAnnotationFailureAnalyzer extends AbstractFailureAnalyzer<InvalidAnnotationException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidAnnotationException cause) {
		return new FailureAnalysis("%s is not valid:%n%n    Value: \"%s\"%n    Reason: %s".formatted(cause.property(),
				cause.value(), cause.reason()), cause.cure() + ".", cause);
	}

}
