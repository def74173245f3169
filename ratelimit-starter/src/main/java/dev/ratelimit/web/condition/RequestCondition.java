package dev.ratelimit.web.condition;

import dev.ratelimit.web.key.RequestFacts;

/**
 * Decides whether a rule applies to a request that it matches. A rule names a bean of
 * this type by {@code when: bean:NAME}. Several threads call it at once, so it must be
 * safe for concurrent use, and their requests wait for it.
 */
@FunctionalInterface
public interface RequestCondition {

	/**
	 * Whether the rule applies. Called on the thread of the request, once per rule that
	 * names the bean.
	 * @param request the facts of the request
	 * @return whether the rule applies. If this method throws, the rule applies.
	 */
	boolean matches(RequestFacts request);

}
