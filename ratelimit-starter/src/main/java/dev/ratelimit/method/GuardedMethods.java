package dev.ratelimit.method;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import dev.ratelimit.limiter.CompiledRules;
import dev.ratelimit.limiter.SubjectEncoder;
import dev.ratelimit.method.annotated.InvalidAnnotationException;
import dev.ratelimit.method.annotated.Mark;
import dev.ratelimit.method.annotated.Marks;

import org.springframework.aop.support.AopUtils;
import org.springframework.core.MethodClassKey;

/**
 * The annotated methods of beans, each with the rules that guard it: compiled once, and
 * looked up for each call.
 */
public final class GuardedMethods {

	private final Map<MethodClassKey, List<Guard>> guards = new ConcurrentHashMap<>();

	private final CompiledRules rules;

	private final SubjectEncoder subjects;

	private final RequestKeys requestKeys;

	/**
	 * Create the methods.
	 * @param rules the rules in force
	 * @param subjects encodes keys
	 * @param requestKeys tells of the current HTTP request
	 */
	public GuardedMethods(CompiledRules rules, SubjectEncoder subjects, RequestKeys requestKeys) {
		this.rules = rules;
		this.subjects = subjects;
		this.requestKeys = requestKeys;
	}

	/**
	 * Compile the guards of a type, so that mistakes stop the start and not a call.
	 * @param type the type of a bean
	 * @throws InvalidAnnotationException if an annotation is not valid
	 */
	public void check(Class<?> type) {
		Marks.of(type).forEach((method, marks) -> {
			Interception.require(method, type, marks.get(0));
			guards(method, type, marks);
		});
	}

	/**
	 * Find the guards of a method.
	 * @param method the method that is called, perhaps of an interface
	 * @param type the type of the bean
	 * @return its guards; none if it is not annotated
	 * @throws InvalidAnnotationException if an annotation is not valid
	 */
	List<Guard> find(Method method, Class<?> type) {
		return this.guards.computeIfAbsent(new MethodClassKey(method, type), (key) -> {
			Method specific = AopUtils.getMostSpecificMethod(method, type);
			Map<Method, List<Mark>> marks = Marks.of(type);
			return guards(specific, type, marks.getOrDefault(specific, marks.getOrDefault(method, List.of())));
		});
	}

	private List<Guard> guards(Method method, Class<?> type, List<Mark> marks) {
		GuardCompiler compiler = new GuardCompiler(method, type, this.rules, this.subjects, this.requestKeys);
		return marks.stream().flatMap((mark) -> mark.explain(() -> compiler.compile(mark)).stream()).toList();
	}

}
