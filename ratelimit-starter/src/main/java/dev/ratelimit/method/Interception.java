package dev.ratelimit.method;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;

import dev.ratelimit.method.annotated.InvalidAnnotationException;
import dev.ratelimit.method.annotated.RateLimitedAnnotation;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.RLConfig;

import org.springframework.core.KotlinDetector;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.scheduling.annotation.Async;
import org.springframework.util.ClassUtils;

/**
 * Checks whether a proxy can intercept a method, and sees how it ends: an annotation that
 * would never be evaluated is a mistake.
 */
final class Interception {

	/** Their annotations are those of listeners. */
	private static final List<String> LISTENERS = List.of("org.springframework.amqp.rabbit.annotation.",
			"org.springframework.kafka.annotation.", "org.springframework.pulsar.");

	private Interception() {
	}

	/**
	 * Check a method.
	 * @param method the method
	 * @param type the type of the bean
	 * @param annotation its annotation
	 * @throws InvalidAnnotationException if its calls cannot be intercepted
	 */
	static void require(Method method, Class<?> type, RateLimitedAnnotation annotation) {
		requireNoListener(method, annotation);
		int modifiers = method.getModifiers();
		String obstacle = "";
		if (Modifier.isPrivate(modifiers)) {
			obstacle = "private";
		}
		else if (Modifier.isStatic(modifiers)) {
			obstacle = "static";
		}
		else if (!Proxy.isProxyClass(type) && Modifier.isFinal(modifiers)) {
			obstacle = "final";
		}
		else if (Modifier.isFinal(type.getModifiers()) && !isOfInterface(method, type)) {
			obstacle = "a method of a final class";
		}
		if (!obstacle.isEmpty()) {
			throw annotation.invalid("value", annotation.rule(),
					"would never be checked: " + method.getName() + " is " + obstacle
							+ ", and no proxy can come between it and its callers",
					"Make it a public method that is open to overriding (in Kotlin: open), or ask a RateLimiter");
		}
	}

	/**
	 * A listener container that was given the bean before it had its proxy calls the bean
	 * itself.
	 */
	private static void requireNoListener(Method method, RateLimitedAnnotation annotation) {
		boolean isListener = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY)
			.stream()
			.map((one) -> one.getType().getName())
			.anyMatch((name) -> LISTENERS.stream().anyMatch(name::startsWith));
		if (isListener) {
			throw annotation.invalid("value", annotation.rule(),
					"may not be checked for messages: " + method.getName()
							+ " is a listener, whose container may call it without the proxy",
					"Put it on a method of another bean, which the listener calls, or exempt the listener by @RateLimitExempt");
		}
	}

	/**
	 * Check that the outcome of a method is seen, if a rule counts by it.
	 * @param method the method
	 * @param type the type of the bean
	 * @param rule the rule
	 * @throws InvalidRuleException if the method ends later, and nothing reports how
	 */
	static void requireOutcome(Method method, Class<?> type, RLConfig rule) {
		Optional<String> unseen = rule.counting().countOn().isAlways() ? Optional.empty() : unseen(method, type);
		if (unseen.isPresent()) {
			throw new InvalidRuleException("value", rule.id(),
					"counts by the outcome (count-on: %s), which is not seen of %s".formatted(rule.counting().countOn(),
							unseen.get()),
					"Annotate a method that returns its result or a CompletableFuture, or name a rule without count-on");
		}
	}

	/** A plain {@link Future} reports nothing; a deferred type does no work before. */
	private static Optional<String> unseen(Method method, Class<?> type) {
		Class<?> result = method.getReturnType();
		if (KotlinDetector.isSuspendingFunction(method)) {
			return Optional.of("a suspending function");
		}
		if (result == void.class && (AnnotatedElementUtils.hasAnnotation(method, Async.class)
				|| AnnotatedElementUtils.hasAnnotation(type, Async.class))) {
			return Optional.of("an @Async method without a result");
		}
		ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(result);
		boolean isDeferred = adapter != null && adapter.getDescriptor().isDeferred();
		boolean isSilent = Future.class.isAssignableFrom(result) && !CompletionStage.class.isAssignableFrom(result);
		return (isDeferred || isSilent) ? Optional.of("a " + result.getSimpleName()) : Optional.empty();
	}

	/**
	 * If Spring proxies the interface, the class may be final; otherwise Spring itself
	 * fails.
	 */
	private static boolean isOfInterface(Method method, Class<?> type) {
		return ClassUtils.getInterfaceMethodIfPossible(method, type).getDeclaringClass().isInterface();
	}

}
