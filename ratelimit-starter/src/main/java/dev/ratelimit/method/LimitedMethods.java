package dev.ratelimit.method;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import dev.ratelimit.limiter.CompiledRules;
import dev.ratelimit.limiter.SubjectEncoder;
import dev.ratelimit.method.annotated.InvalidAnnotationException;
import dev.ratelimit.method.annotated.RateLimitedAnnotation;
import dev.ratelimit.method.annotated.RateLimitedAnnotations;

import org.springframework.aop.support.AopUtils;
import org.springframework.core.MethodClassKey;

/**
 * The annotated methods of beans, each with the rules that guard it. Compiled once, and
 * looked up for each call.
 */
public final class LimitedMethods {

	private final Map<MethodClassKey, List<MethodRule>> methodRules = new ConcurrentHashMap<>();

	private final CompiledRules rules;

	private final SubjectEncoder subjects;

	private final RequestKeys requestKeys;

	/**
	 * Create the methods.
	 * @param rules the rules in force
	 * @param subjects encodes keys
	 * @param requestKeys provides facts of the current HTTP request
	 */
	public LimitedMethods(CompiledRules rules, SubjectEncoder subjects, RequestKeys requestKeys) {
		this.rules = rules;
		this.subjects = subjects;
		this.requestKeys = requestKeys;
	}

	/**
	 * Compile the rules of a type's methods, so that mistakes fail the start and not a
	 * call.
	 * @param type the type of a bean
	 * @throws InvalidAnnotationException if an annotation is not valid
	 */
	public void check(Class<?> type) {
		RateLimitedAnnotations.of(type).forEach((method, annotations) -> {
			Interception.require(method, type, annotations.get(0));
			methodRules(method, type, annotations);
		});
	}

	/**
	 * Warn of the methods of a type whose calls count although other advice ends them.
	 * @param type the type of a bean
	 */
	public void warnOfAdvice(Class<?> type) {
		RateLimitedAnnotations.of(type)
			.forEach((method,
					annotations) -> annotations.forEach((annotation) -> this.rules.ruleSet()
						.find(annotation.rule())
						.ifPresent((rule) -> AdviceOrder.warn(method, type, rule,
								annotation.key().isEmpty() ? rule.key().sources() : annotation.key()))));
	}

	/**
	 * Find the rules of a method.
	 * @param method the called method, which may be an interface method
	 * @param type the type of the bean
	 * @return its rules; none if it is not annotated
	 * @throws InvalidAnnotationException if an annotation is not valid
	 */
	List<MethodRule> find(Method method, Class<?> type) {
		return this.methodRules.computeIfAbsent(new MethodClassKey(method, type), (key) -> {
			Method specific = AopUtils.getMostSpecificMethod(method, type);
			Map<Method, List<RateLimitedAnnotation>> annotations = RateLimitedAnnotations.of(type);
			return methodRules(specific, type,
					annotations.getOrDefault(specific, annotations.getOrDefault(method, List.of())));
		});
	}

	private List<MethodRule> methodRules(Method method, Class<?> type, List<RateLimitedAnnotation> annotations) {
		MethodRuleCompiler compiler = new MethodRuleCompiler(method, type, this.rules, this.subjects, this.requestKeys);
		return annotations.stream()
			.flatMap((annotation) -> annotation.explain(() -> compiler.compile(annotation)).stream())
			.toList();
	}

}
