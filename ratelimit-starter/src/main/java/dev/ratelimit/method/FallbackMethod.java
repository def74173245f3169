package dev.ratelimit.method;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Optional;

import dev.ratelimit.RateLimitExceededException;
import dev.ratelimit.rule.InvalidRuleException;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * A method that is called instead of a refused method.
 *
 * @param method the method
 * @param takesException whether it takes the exception as its last argument
 */
record FallbackMethod(Method method, boolean takesException) {

	/**
	 * Find the fallback of a method.
	 * @param guarded the method
	 * @param type the class that declares both
	 * @param name the name of the fallback; empty for no fallback
	 * @return the fallback
	 * @throws InvalidRuleException if there is no such method
	 */
	static Optional<FallbackMethod> find(Method guarded, Class<?> type, String name) {
		if (name.isEmpty()) {
			return Optional.empty();
		}
		Class<?>[] same = guarded.getParameterTypes();
		Class<?>[] more = Arrays.copyOf(same, same.length + 1);
		more[same.length] = RateLimitExceededException.class;
		Method withException = ReflectionUtils.findMethod(type, name, more);
		Method method = (withException != null) ? withException : ReflectionUtils.findMethod(type, name, same);
		if (method == null || method.equals(guarded) || !isAssignable(guarded, method)) {
			throw new InvalidRuleException("fallbackMethod", name, "is no method that could answer in its place",
					"Write a method %s %s(%s) in %s, with or without a RateLimitExceededException as its last parameter"
						.formatted(guarded.getReturnType().getSimpleName(), name,
								String.join(", ", Arrays.stream(same).map(Class::getSimpleName).toList()),
								type.getSimpleName()));
		}
		ReflectionUtils.makeAccessible(method);
		return Optional.of(new FallbackMethod(method, withException != null));
	}

	private static boolean isAssignable(Method guarded, Method fallback) {
		return guarded.getReturnType() == void.class
				|| ClassUtils.isAssignable(guarded.getReturnType(), fallback.getReturnType());
	}

	/**
	 * Call the fallback instead of a refused call.
	 * @param target the bean itself, not its proxy
	 * @param arguments the arguments of the call
	 * @param refusal the refusal
	 * @return what the fallback returns
	 * @throws Throwable what the fallback throws
	 */
	@Nullable Object answer(@Nullable Object target, @Nullable Object[] arguments, RateLimitExceededException refusal)
			throws Throwable {
		@Nullable Object[] all = arguments;
		if (this.takesException) {
			all = Arrays.copyOf(arguments, arguments.length + 1);
			all[arguments.length] = refusal;
		}
		try {
			return this.method.invoke(target, all);
		}
		catch (InvocationTargetException ex) {
			throw ex.getTargetException();
		}
	}

}
