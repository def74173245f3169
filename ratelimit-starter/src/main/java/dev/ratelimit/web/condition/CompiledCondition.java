package dev.ratelimit.web.condition;

import java.util.Map;
import java.util.function.LongSupplier;

import dev.ratelimit.rule.Condition;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.web.key.BeanFailures;
import dev.ratelimit.web.key.RequestBeans;
import dev.ratelimit.web.key.RequestFacts;

/**
 * The condition that decides whether one rule applies to a request. Tested by
 * {@code ExpressionConditionTests}.
 */
@FunctionalInterface
public interface CompiledCondition {

	/**
	 * Compile the condition of a rule.
	 * @param rule the rule
	 * @param beans finds the bean that it names
	 * @param nanoTime a monotonic clock in nanoseconds
	 * @return the compiled condition
	 * @throws InvalidRuleException if there is no such bean, or if an expression uses
	 * anything that is not allowed in a condition
	 */
	static CompiledCondition of(RLConfig rule, RequestBeans beans, LongSupplier nanoTime) {
		if (rule.requests().when() instanceof Condition.BeanCondition bean) {
			RequestCondition found = beans.find("when", bean.name(), RequestCondition.class);
			BeanFailures failures = new BeanFailures(rule.id(), "when", bean.name(), "the rule applied", beans,
					nanoTime);
			return (request, variables) -> {
				try {
					return found.matches(request);
				}
				catch (Exception ex) {
					failures.failed(ex);
					return true;
				}
			};
		}
		if (rule.requests().when() instanceof Condition.Expression expression) {
			return new ExpressionCondition(rule, expression.text(), nanoTime);
		}
		return (request, variables) -> true;
	}

	/**
	 * Whether the rule applies.
	 * @param request the facts of the request
	 * @param pathVariables the decoded variables of the rule's path; may be left empty
	 * unless {@link #usesPathVariables()}
	 * @return whether it applies
	 */
	boolean matches(RequestFacts request, Map<String, String> pathVariables);

	/**
	 * Whether it uses variables of the path.
	 * @return whether they have to be extracted
	 */
	default boolean usesPathVariables() {
		return false;
	}

}
