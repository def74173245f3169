package dev.ratelimit.autoconfigure;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import dev.ratelimit.RateLimited;
import dev.ratelimit.limiter.CompiledRules;
import dev.ratelimit.method.annotated.AnnotatedBeans;
import dev.ratelimit.method.annotated.InvalidAnnotationException;
import dev.ratelimit.method.annotated.RateLimitedAnnotation;
import dev.ratelimit.method.annotated.RateLimitedAnnotations;
import dev.ratelimit.rule.Condition;
import dev.ratelimit.rule.Cost;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.web.HandlerRoutes;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.condition.PathPatternsRequestCondition;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.util.pattern.PathPattern;

/**
 * The rules that annotations of controller handlers name. They are found once, when all
 * handlers are known.
 */
final class AnnotatedHandlers {

	private final List<NamedHandler> named = new ArrayList<>();

	/**
	 * Find the annotations.
	 * @param annotated the annotated types
	 * @param beanFactory provides the handler mappings
	 * @throws InvalidAnnotationException if an annotation would never be used
	 */
	AnnotatedHandlers(AnnotatedBeans annotated, ListableBeanFactory beanFactory) {
		Map<Class<?>, Map<Method, List<RateLimitedAnnotation>>> allDeclared = new HashMap<>();
		Set<Method> handlers = new HashSet<>();
		Set<Class<?>> controllers = new HashSet<>();
		beanFactory.getBeansOfType(RequestMappingHandlerMapping.class)
			.values()
			.forEach((mapping) -> mapping.getHandlerMethods().forEach((info, handler) -> {
				Method method = AopUtils.getMostSpecificMethod(handler.getMethod(), handler.getBeanType());
				handlers.add(method);
				controllers.add(handler.getBeanType());
				allDeclared.computeIfAbsent(handler.getBeanType(), RateLimitedAnnotations::of)
					.getOrDefault(method, List.of())
					.forEach((declared) -> this.named.add(new NamedHandler(declared, handler, patterns(info))));
			}));
		requireHandlers(annotated, handlers, controllers);
	}

	/**
	 * Add the rules that handlers name.
	 * @param rules the rules in force
	 * @param routes receives the named rules
	 * @throws InvalidAnnotationException if a handler names a rule that it cannot use
	 */
	void addTo(CompiledRules rules, HandlerRoutes routes) {
		this.named.forEach((one) -> add(one.declared(), one.handler(), one.patterns(), rules, routes));
	}

	/** A mapping that matches by Ant patterns has already failed the start. */
	static Set<PathPattern> patterns(RequestMappingInfo info) {
		PathPatternsRequestCondition condition = info.getPathPatternsCondition();
		return (condition != null) ? condition.getPatterns() : Set.of();
	}

	static Set<String> methods(RequestMappingInfo info) {
		return info.getMethodsCondition().getMethods().stream().map(RequestMethod::name).collect(Collectors.toSet());
	}

	private static void add(RateLimitedAnnotation declared, HandlerMethod handler, Set<PathPattern> patterns,
			CompiledRules rules, HandlerRoutes routes) {
		RateLimited annotation = declared.annotation();
		if (!annotation.fallbackMethod().isEmpty()) {
			throw declared.invalid("fallbackMethod", annotation.fallbackMethod(), "has no place on a controller",
					"Remove it: refusal.* of the rule, or a RateLimitRejectionHandler bean, defines the response to refused requests");
		}
		if (annotation.onLimit() != RateLimited.OnLimit.REJECT) {
			throw declared.invalid("onLimit", annotation.onLimit().name(), "has no place on a controller",
					"Write on-limit: delay in a rule of the configuration, and name that rule");
		}
		if (!declared.isInline() && annotation.key().length > 0) {
			throw declared.invalid("key", String.join(", ", annotation.key()),
					"has no place here: rule '" + declared.rule() + "' has its own key", "Remove it");
		}
		RLConfig rule = rules.ruleSet().find(declared.rule()).orElseThrow(() -> declared.unknown(rules.ruleSet()));
		declared.explain(() -> {
			Cost cost = annotation.cost().isEmpty() ? rule.counting().cost() : Cost.valueOf(annotation.cost());
			Condition when = annotation.when().isEmpty() ? rule.requests().when()
					: Condition.valueOf(annotation.when());
			rules.find(rule.id()).ifPresent((compiled) -> routes.add(handler, patterns, compiled, cost, when));
			return rule;
		});
	}

	/**
	 * An annotation on another method of a controller would never be used, nor would one
	 * on a class without handlers, such as a controller of messages.
	 */
	private static void requireHandlers(AnnotatedBeans annotated, Set<Method> handlers, Set<Class<?>> controllers) {
		for (Class<?> type : annotated.types()) {
			if (RateLimitedAnnotations.isController(type)) {
				RateLimitedAnnotations.of(type)
					.forEach((method, allDeclared) -> allDeclared.stream()
						.filter((declared) -> declared.isOnMethod() ? !handlers.contains(method)
								: !controllers.contains(type))
						.forEach((declared) -> {
							throw declared.invalid("value", declared.rule(),
									"would never be checked: no HTTP request goes to "
											+ (declared.isOnMethod() ? method.getName() : type.getSimpleName()),
									"Put it on a handler of HTTP requests, or on another bean, which the controller calls");
						}));
			}
		}
	}

	private record NamedHandler(RateLimitedAnnotation declared, HandlerMethod handler, Set<PathPattern> patterns) {
	}

}
