package dev.ratelimit.web.condition;

import java.util.Map;
import java.util.function.LongSupplier;

import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.web.key.QuietWarning;
import dev.ratelimit.web.key.RequestFacts;

import org.springframework.expression.Expression;

/**
 * A condition in SpEL. It is parsed and checked once; no data of a request ever becomes a
 * part of it.
 * <p>
 * If it cannot be evaluated the rule applies, so a client cannot avoid a limit by making
 * its condition fail. A regular expression is aborted after it has read a million
 * characters, which takes milliseconds; an expression that backtracks a lot lets a client
 * spend them.
 */
final class ExpressionCondition implements CompiledCondition {

	private final Expression expression;

	private final boolean usesPathVariables;

	private final QuietWarning failure;

	/**
	 * Compile an expression.
	 * @param rule the rule
	 * @param text its condition
	 * @param nanoTime a monotonic clock in nanoseconds
	 * @throws InvalidRuleException if it uses anything that is not allowed in a condition
	 */
	ExpressionCondition(RLConfig rule, String text, LongSupplier nanoTime) {
		this.expression = new ExpressionCheck(rule, text).expression();
		this.usesPathVariables = text.contains("pathVariables");
		this.failure = new QuietWarning(rule.id(),
				"The condition (when) of rate limit rule '%s' could not be evaluated for a request, so that the rule applied. 'matches' fails where there is no value, which (headers['X-Client'] ?: '') prevents, and where its regular expression takes too long."
					.formatted(rule.id()),
				nanoTime);
	}

	@Override
	public boolean matches(RequestFacts request, Map<String, String> pathVariables) {
		try {
			Object result = this.expression.getValue(Facts.CONTEXT, new Facts(request, pathVariables));
			return !Boolean.FALSE.equals(result);
		}
		// A regular expression recurses, and a long value can exhaust the stack.
		catch (RuntimeException | StackOverflowError ex) {
			this.failure.warn();
			return true;
		}
	}

	@Override
	public boolean usesPathVariables() {
		return this.usesPathVariables;
	}

}
