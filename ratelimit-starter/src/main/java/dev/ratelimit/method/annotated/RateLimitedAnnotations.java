package dev.ratelimit.method.annotated;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.ratelimit.RateLimited;
import dev.ratelimit.rule.InvalidRuleException;
import org.jspecify.annotations.Nullable;

import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.stereotype.Controller;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Finds the annotations of a type. Costs a look at its methods, and where there is an
 * annotation a walk over all that they override.
 */
public final class RateLimitedAnnotations {

	private RateLimitedAnnotations() {
	}

	/**
	 * The annotations of a type, those on superclasses and interfaces too. The class's
	 * apply to its public methods.
	 * @param type the type, or a proxy of it
	 * @return for each annotated method what applies to it, one declared per rule
	 * @throws InvalidAnnotationException if an element names a rule twice
	 */
	public static Map<Method, List<RateLimitedAnnotation>> of(Class<?> type) {
		Class<?> userType = ClassUtils.getUserClass(type);
		if (!hasAny(userType)) {
			return Map.of();
		}
		List<MergedAnnotation<RateLimited>> ofClass = nearest(userType);
		return MethodIntrospector.selectMethods(userType,
				(MethodIntrospector.MetadataLookup<List<RateLimitedAnnotation>>) (method) -> {
					List<MergedAnnotation<RateLimited>> ofMethod = nearest(method);
					boolean isOfClass = isCallable(method) && !isFixed(method, userType);
					return (ofMethod.isEmpty() && (ofClass.isEmpty() || !isOfClass)) ? null
							: allDeclared(method, isOfClass ? ofClass : List.of(), ofMethod);
				});
	}

	/**
	 * An application has hundreds of types, most without; a walk over each takes long.
	 */
	private static boolean hasAny(Class<?> type) {
		Set<Class<?>> types = new LinkedHashSet<>();
		addHierarchy(type, types);
		return types.stream().anyMatch(RateLimitedAnnotations::declaresAny);
	}

	private static boolean declaresAny(Class<?> type) {
		if (isAnnotated(type)) {
			return true;
		}
		try {
			return Arrays.stream(ReflectionUtils.getDeclaredMethods(type))
				.anyMatch(RateLimitedAnnotations::isAnnotated);
		}
		catch (IllegalStateException ex) {
			// Its methods name a class that is missing. Types of Spring's are never made
			// then; for others the walk fails, and says why.
			return !type.getName().startsWith("org.springframework.");
		}
	}

	private static void addHierarchy(@Nullable Class<?> type, Set<Class<?>> types) {
		if (type != null && type != Object.class && types.add(type)) {
			addHierarchy(type.getSuperclass(), types);
			for (Class<?> implemented : type.getInterfaces()) {
				addHierarchy(implemented, types);
			}
		}
	}

	private static boolean isAnnotated(AnnotatedElement element) {
		return MergedAnnotations.from(element).isPresent(RateLimited.class);
	}

	/**
	 * Whether a type is a controller, whose requests are decided at the handler and not
	 * where a method is called.
	 * @param type the type
	 * @return whether it is
	 */
	public static boolean isController(Class<?> type) {
		return AnnotatedElementUtils.hasAnnotation(type, Controller.class);
	}

	private static boolean isCallable(Method method) {
		return Modifier.isPublic(method.getModifiers()) && !Modifier.isStatic(method.getModifiers());
	}

	/**
	 * Inherited and final, as a framework's base class has it: not the author's to open.
	 */
	private static boolean isFixed(Method method, Class<?> type) {
		return Modifier.isFinal(method.getModifiers()) && method.getDeclaringClass() != type;
	}

	/** As with a method that is overridden, what is further away does not count. */
	private static List<MergedAnnotation<RateLimited>> nearest(AnnotatedElement element) {
		List<MergedAnnotation<RateLimited>> all = MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY)
			.stream(RateLimited.class)
			.toList();
		return all.stream().filter((one) -> one.getAggregateIndex() == all.get(0).getAggregateIndex()).toList();
	}

	/** Of the same rule the method's annotation counts, not that of the class. */
	private static List<RateLimitedAnnotation> allDeclared(Method method, List<MergedAnnotation<RateLimited>> ofClass,
			List<MergedAnnotation<RateLimited>> ofMethod) {
		Map<String, RateLimitedAnnotation> allDeclared = byRule(ofClass, method);
		allDeclared.putAll(byRule(ofMethod, method));
		return List.copyOf(allDeclared.values());
	}

	private static Map<String, RateLimitedAnnotation> byRule(List<MergedAnnotation<RateLimited>> annotations,
			Method method) {
		Map<String, RateLimitedAnnotation> allDeclared = new LinkedHashMap<>();
		for (MergedAnnotation<RateLimited> annotation : annotations) {
			RateLimitedAnnotation declared = declared(annotation, method);
			if (allDeclared.put(declared.rule(), declared) != null) {
				throw new InvalidAnnotationException(declared.source(),
						new InvalidRuleException("value", declared.rule(), "is named twice",
								"Name each rule once; give each rule that is written here an id of its own"));
			}
		}
		return allDeclared;
	}

	private static RateLimitedAnnotation declared(MergedAnnotation<RateLimited> annotation, Method method) {
		Object source = annotation.getSource();
		return new RateLimitedAnnotation(annotation.synthesize(),
				(source instanceof AnnotatedElement element) ? element : method, method);
	}

}
