package dev.ratelimit.method.annotated;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.stream.Collectors;

import dev.ratelimit.rule.InvalidRuleException;

/**
 * An annotation is not valid. Its {@link #property()} is the attribute together with the
 * annotated method.
 */
public class InvalidAnnotationException extends InvalidRuleException {

	private static final long serialVersionUID = 1L;

	/**
	 * Create the exception.
	 * @param place the annotated method or class
	 * @param cause what is wrong; its property is the attribute
	 */
	public InvalidAnnotationException(AnnotatedElement place, InvalidRuleException cause) {
		this("@RateLimited(%s)".formatted(cause.property()), place, cause.value(), cause.reason(), cause.cure());
	}

	private InvalidAnnotationException(String annotation, AnnotatedElement place, String value, String reason,
			String cure) {
		super(annotation + " on " + name(place), value, reason, cure);
	}

	static InvalidAnnotationException pointlessExemption(Method method) {
		return new InvalidAnnotationException("@RateLimitExempt", method, method.getName(),
				"has nothing to be exempt from: no @RateLimited applies to it (one on a class applies to its public methods)",
				"Remove the annotation. To exempt a path from all rules, use ratelimit.exempt.paths");
	}

	private static String name(AnnotatedElement place) {
		if (place instanceof Method method) {
			String parameters = Arrays.stream(method.getParameterTypes())
				.map(Class::getSimpleName)
				.collect(Collectors.joining(", "));
			return method.getDeclaringClass().getName() + "." + method.getName() + "(" + parameters + ")";
		}
		return (place instanceof Class<?> type) ? type.getName() : place.toString();
	}

}
