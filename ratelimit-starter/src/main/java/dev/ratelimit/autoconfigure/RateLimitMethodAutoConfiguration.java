package dev.ratelimit.autoconfigure;

import dev.ratelimit.limiter.CompiledRules;
import dev.ratelimit.limiter.DecisionListener;
import dev.ratelimit.limiter.RequestLimiter;
import dev.ratelimit.limiter.Subjects;
import dev.ratelimit.method.GuardedMethods;
import dev.ratelimit.method.RateLimitedBeanPostProcessor;
import dev.ratelimit.method.RateLimitedInterceptor;
import dev.ratelimit.method.RequestKeys;
import dev.ratelimit.method.annotated.AnnotatedBeans;
import dev.ratelimit.method.annotated.Marks;
import org.aopalliance.intercept.MethodInterceptor;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;
import org.springframework.util.function.SingletonSupplier;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for {@link dev.ratelimit.RateLimited} on beans that are no
 * controllers.
 */
@AutoConfiguration(after = { RateLimitAutoConfiguration.class, RateLimitWebAutoConfiguration.class })
public final class RateLimitMethodAutoConfiguration {

	/** Static and without beans of its own, so that it makes none too early. */
	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static RateLimitedBeanPostProcessor rateLimitedBeanPostProcessor(
			ObjectProvider<RateLimitedInterceptor> interceptors, ObjectProvider<RateLimitProperties> properties) {
		SingletonSupplier<RateLimitedInterceptor> interceptor = SingletonSupplier.of(interceptors::getObject);
		SingletonSupplier<Boolean> enabled = SingletonSupplier.of(() -> properties.getObject().enabled());
		MethodInterceptor advice = (invocation) -> enabled.obtain() ? interceptor.obtain().invoke(invocation)
				: invocation.proceed();
		return new RateLimitedBeanPostProcessor(advice);
	}

	@Bean
	GuardedMethods rateLimitGuardedMethods(CompiledRules rules, Subjects subjects,
			ObjectProvider<RequestKeys> requestKeys) {
		return new GuardedMethods(rules, subjects, requestKeys.getIfAvailable(() -> RequestKeys.NONE));
	}

	@Bean
	RateLimitedInterceptor rateLimitedInterceptor(GuardedMethods methods, RequestLimiter limiter,
			ObjectProvider<DecisionListener> listeners) {
		return new RateLimitedInterceptor(methods, limiter, DecisionListener.all(listeners.orderedStream().toList()));
	}

	/**
	 * Comes last, so that it sees the types that no definition told.
	 */
	@Bean
	SmartInitializingSingleton rateLimitedMethodsCheck(AnnotatedBeans annotated, GuardedMethods methods,
			RateLimitedBeanPostProcessor postProcessor) {
		return () -> InvalidSettings.explain(() -> {
			annotated.types().stream().filter((type) -> !Marks.isController(type)).forEach(methods::check);
			postProcessor.intercepted().forEach(methods::check);
			return methods;
		});
	}

}
