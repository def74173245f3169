package dev.ratelimit.autoconfigure;

import dev.ratelimit.limiter.RequestLimiter;
import dev.ratelimit.limiter.SubjectEncoder;
import dev.ratelimit.limiter.rules.ActiveRules;
import dev.ratelimit.method.RateLimitedBeanPostProcessor;
import dev.ratelimit.method.RateLimitedInterceptor;
import dev.ratelimit.method.RequestKeys;
import dev.ratelimit.method.annotated.AnnotatedBeans;
import org.aopalliance.intercept.MethodInterceptor;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Role;
import org.springframework.core.Ordered;
import org.springframework.util.function.SingletonSupplier;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for {@link dev.ratelimit.RateLimited} on beans that are not
 * controllers.
 */
@AutoConfiguration(after = { RateLimitAutoConfiguration.class, RateLimitWebAutoConfiguration.class })
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE) // The last post-processor's advice runs
												// first.
@ConditionalOnBean(name = RateLimitAutoConfiguration.RULES)
@Lazy
public final class RateLimitMethodAutoConfiguration {

	/** Static and without dependencies, so that no bean is created too early. */
	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static RateLimitedBeanPostProcessor rateLimitStarterBeanPostProcessor(
			ObjectProvider<RateLimitedInterceptor> interceptors, ObjectProvider<RateLimitProperties> properties) {
		SingletonSupplier<RateLimitedInterceptor> interceptor = SingletonSupplier.of(interceptors::getObject);
		SingletonSupplier<Boolean> enabled = SingletonSupplier.of(() -> properties.getObject().enabled());
		MethodInterceptor advice = (invocation) -> enabled.obtain() ? interceptor.obtain().invoke(invocation)
				: invocation.proceed();
		return new RateLimitedBeanPostProcessor(advice);
	}

	/** Runs when all types are known, including those that no bean definition shows. */
	@Bean
	@Lazy(false)
	SmartInitializingSingleton rateLimitStarterGuardedMethodsCheck(AnnotatedBeans annotated,
			RateLimitedBeanPostProcessor postProcessor, ObjectProvider<LimitedMethodsSupplier> methods,
			ObjectProvider<RateLimitedInterceptor> interceptor) {
		return () -> {
			if (!annotated.types().isEmpty() || !postProcessor.intercepted().isEmpty()) {
				methods.getObject().check();
				// Created at start-up rather than with the first call.
				RateLimitedInterceptor ignored = interceptor.getObject();
			}
		};
	}

	@Bean
	LimitedMethodsSupplier rateLimitStarterGuardedMethods(ActiveRules rules, SubjectEncoder subjects,
			ObjectProvider<RequestKeys> requestKeys, AnnotatedBeans annotated,
			RateLimitedBeanPostProcessor postProcessor) {
		return rules.follow(new LimitedMethodsSupplier(subjects,
				new CallerKeys(requestKeys.getIfAvailable(() -> RequestKeys.NONE)), annotated, postProcessor));
	}

	@Bean
	RateLimitedInterceptor rateLimitStarterMethodInterceptor(LimitedMethodsSupplier methods, RequestLimiter limiter,
			AllListeners listeners) {
		return new RateLimitedInterceptor(methods, limiter, listeners.decisions(), RateLimitAutoConfiguration.WAITER);
	}

}
