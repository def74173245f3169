package dev.ratelimit.method;

import org.jspecify.annotations.Nullable;

/**
 * An expression over the arguments of a call.
 */
@FunctionalInterface
interface ArgumentExpression {

	/**
	 * Evaluate the expression. What it throws fails the call, uncounted.
	 * @param arguments the arguments
	 * @return its value, which may be absent
	 */
	@Nullable Object of(@Nullable Object[] arguments);

}
