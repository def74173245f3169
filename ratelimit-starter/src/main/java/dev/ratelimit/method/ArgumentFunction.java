package dev.ratelimit.method;

import org.jspecify.annotations.Nullable;

/**
 * A function of the arguments of a call.
 *
 * @param <T> the type of its result
 */
@FunctionalInterface
interface ArgumentFunction<T extends @Nullable Object> {

	/**
	 * Apply the function. If it throws, the call fails and is not counted.
	 * @param arguments the arguments
	 * @return the result
	 */
	T of(@Nullable Object[] arguments);

}
