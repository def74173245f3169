package dev.ratelimit.autoconfigure;

import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

import dev.ratelimit.RateLimited;
import dev.ratelimit.limiter.CompiledRules;
import dev.ratelimit.method.annotated.AnnotatedBeans;
import dev.ratelimit.method.annotated.Mark;
import dev.ratelimit.method.annotated.Marks;
import dev.ratelimit.rule.Condition;
import dev.ratelimit.rule.Cost;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.web.HandlerRoutes;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.condition.PathPatternsRequestCondition;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.util.pattern.PathPattern;

/**
 * Lets the handlers of controllers name the rules of their annotations, when all handlers
 * are known.
 */
final class HandlerRoutesSupplier implements Supplier<HandlerRoutes>, SmartInitializingSingleton {

	private final CompiledRules rules;

	private final AnnotatedBeans annotated;

	private final HandlerRoutes routes;

	private final ListableBeanFactory beanFactory;

	HandlerRoutesSupplier(CompiledRules rules, AnnotatedBeans annotated, HandlerRoutes routes,
			ListableBeanFactory beanFactory) {
		this.rules = rules;
		this.annotated = annotated;
		this.routes = routes;
		this.beanFactory = beanFactory;
	}

	@Override
	public HandlerRoutes get() {
		return this.routes;
	}

	@Override
	public void afterSingletonsInstantiated() {
		InvalidSettings.explain(() -> {
			Map<Class<?>, Map<Method, List<Mark>>> marks = new HashMap<>();
			Set<Method> handlers = new HashSet<>();
			this.beanFactory.getBeansOfType(RequestMappingHandlerMapping.class)
				.values()
				.forEach((mapping) -> mapping.getHandlerMethods().forEach((info, handler) -> {
					Method method = AopUtils.getMostSpecificMethod(handler.getMethod(), handler.getBeanType());
					handlers.add(method);
					marks.computeIfAbsent(handler.getBeanType(), Marks::of)
						.getOrDefault(method, List.of())
						.forEach((mark) -> add(mark, handler, patterns(info)));
				}));
			requireHandlers(handlers);
			return this.routes;
		});
	}

	/** A mapping that matches by Ant patterns has stopped the start already. */
	private static Set<PathPattern> patterns(RequestMappingInfo info) {
		PathPatternsRequestCondition condition = info.getPathPatternsCondition();
		return (condition != null) ? condition.getPatterns() : Set.of();
	}

	private void add(Mark mark, HandlerMethod handler, Set<PathPattern> patterns) {
		RateLimited annotation = mark.annotation();
		if (!annotation.fallbackMethod().isEmpty()) {
			throw mark.invalid("fallbackMethod", annotation.fallbackMethod(), "has no place on a controller",
					"Remove it: a RateLimitRejectionHandler bean answers refused requests");
		}
		if (!mark.isInline() && annotation.key().length > 0) {
			throw mark.invalid("key", String.join(", ", annotation.key()),
					"has no place here: rule '" + mark.rule() + "' has its own key", "Remove it");
		}
		RLConfig rule = this.rules.ruleSet().find(mark.rule()).orElseThrow(() -> mark.unknown(this.rules.ruleSet()));
		mark.explain(() -> {
			Cost cost = annotation.cost().isEmpty() ? rule.cost() : Cost.valueOf(annotation.cost());
			Condition when = annotation.when().isEmpty() ? rule.when() : Condition.valueOf(annotation.when());
			this.rules.find(rule.id())
				.ifPresent((compiled) -> this.routes.add(handler, patterns, compiled, cost, when));
			return rule;
		});
	}

	/** What stands on another method of a controller would never be asked. */
	private void requireHandlers(Set<Method> handlers) {
		for (Class<?> type : this.annotated.types()) {
			if (Marks.isController(type)) {
				Marks.of(type).forEach((method, marks) -> marks.stream().filter(Mark::isOnMethod).forEach((mark) -> {
					if (!handlers.contains(method)) {
						throw mark.invalid("value", mark.rule(),
								"would never be asked: no request goes to " + method.getName(),
								"Put it on a handler method, or on a method of another bean");
					}
				}));
			}
		}
	}

}
