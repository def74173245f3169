package dev.ratelimit.method;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

import dev.ratelimit.method.annotated.RateLimitedAnnotation;
import dev.ratelimit.method.annotated.RateLimitedAnnotations;
import org.aopalliance.aop.Advice;

import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;

/**
 * Adds a {@link RateLimitedInterceptor} to the calls of annotated methods, before all
 * other advice: before a transaction begins, before a task is handed to another thread,
 * and once for a call that is retried. Needs only Spring's own proxies. Controllers are
 * left out, because they are decided at the handler.
 */
public final class RateLimitedBeanPostProcessor extends AbstractBeanFactoryAwareAdvisingPostProcessor {

	private static final long serialVersionUID = 1L;

	private final transient Map<Class<?>, Set<Method>> annotated = new ConcurrentHashMap<>();

	/**
	 * Create a post-processor.
	 * @param interceptor decides the calls; resolved with the first call
	 */
	public RateLimitedBeanPostProcessor(Advice interceptor) {
		this.advisor = new DefaultPointcutAdvisor(new AnnotatedMethods(), interceptor);
		setBeforeExistingAdvisors(true);
	}

	/**
	 * The types of the beans whose calls are intercepted.
	 * @return the types so far
	 */
	public Set<Class<?>> intercepted() {
		return this.annotated.entrySet()
			.stream()
			.filter((entry) -> !entry.getValue().isEmpty())
			.map(Map.Entry::getKey)
			.collect(Collectors.toUnmodifiableSet());
	}

	private Set<Method> annotated(Class<?> type) {
		return this.annotated.computeIfAbsent(type, (key) -> {
			Map<Method, List<RateLimitedAnnotation>> annotations = RateLimitedAnnotations.of(key);
			if (annotations.isEmpty() || RateLimitedAnnotations.isController(key)) {
				return Set.of();
			}
			annotations.forEach((method, all) -> Interception.require(method, key, all.get(0)));
			return Set.copyOf(annotations.keySet());
		});
	}

	/** Spring passes the method of the class, or that of an interface. */
	private final class AnnotatedMethods extends StaticMethodMatcherPointcut {

		AnnotatedMethods() {
			setClassFilter((type) -> !annotated(type).isEmpty());
		}

		@Override
		public boolean matches(Method method, Class<?> type) {
			Set<Method> methods = annotated(type);
			return methods.contains(method) || methods.contains(AopUtils.getMostSpecificMethod(method, type));
		}

	}

}
