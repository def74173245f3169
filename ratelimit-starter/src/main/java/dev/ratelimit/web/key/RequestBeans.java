package dev.ratelimit.web.key;

/**
 * Finds the beans of the application that rules name.
 */
@FunctionalInterface
public interface RequestBeans {

	/**
	 * Find a bean.
	 * @param <T> its type
	 * @param property the key of the rule that names it
	 * @param name its name
	 * @param type its type
	 * @return the bean
	 * @throws dev.ratelimit.rule.InvalidRuleException if there is no such bean of that
	 * type
	 */
	<T> T find(String property, String name, Class<T> type);

	/**
	 * Report that a bean threw an exception, or returned null.
	 * @param rule the id of the rule that names it
	 * @param property the key of the rule that names it
	 */
	default void failed(String rule, String property) {
	}

}
