package dev.ratelimit.web.condition;

import java.util.Map;

import dev.ratelimit.rule.Condition;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.web.key.RequestBeans;
import dev.ratelimit.web.key.RequestFacts;

/**
 * Whether one rule applies to a request.
 */
@FunctionalInterface
public interface CompiledCondition {

	/**
	 * Compile the condition of a rule.
	 * @param condition what it says
	 * @param beans finds the bean that it names
	 * @return the same, ready
	 * @throws InvalidRuleException if an expression cannot be evaluated
	 */
	static CompiledCondition of(Condition condition, RequestBeans beans) {
		if (condition instanceof Condition.Bean bean) {
			RequestCondition found = beans.find("when", bean.name(), RequestCondition.class);
			return (request, variables) -> found.matches(request);
		}
		if (condition instanceof Condition.Expression expression) {
			throw new InvalidRuleException("when", expression.text(), "is no bean", "Write bean:NAME");
		}
		return (request, variables) -> true;
	}

	/**
	 * Whether the rule applies.
	 * @param request the facts of the request
	 * @param pathVariables the decoded variables of the rule's path
	 * @return whether it does
	 */
	boolean matches(RequestFacts request, Map<String, String> pathVariables);

}
