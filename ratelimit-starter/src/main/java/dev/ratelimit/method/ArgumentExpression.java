package dev.ratelimit.method;

import org.jspecify.annotations.Nullable;

/**
 * An expression over the arguments of a call.
 */
@FunctionalInterface
interface ArgumentExpression {

	/**
	 * Evaluate the expression. If it throws, the call fails and is not counted.
	 * @param arguments the arguments
	 * @return its value, which may be absent
	 */
	@Nullable Object of(@Nullable Object[] arguments);

}
