package dev.ratelimit.method.annotated;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.ratelimit.RateLimitExempt;
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
import org.springframework.util.ConcurrentReferenceHashMap;
import org.springframework.util.ReflectionUtils;

/**
 * Finds the annotations of a type. Costs one scan of its methods; if there is an
 * annotation, also a walk over all methods that they override.
 */
public final class RateLimitedAnnotations {

	/**
	 * Three parts of a start ask about each type. Soft references, because a restarted
	 * application has other types.
	 */
	private static final Map<Class<?>, Boolean> annotatedTypes = new ConcurrentReferenceHashMap<>(256);

	private RateLimitedAnnotations() {
	}

	/**
	 * The annotations of a type, including those on superclasses and interfaces. An
	 * annotation of the class applies to its methods, unless they are exempt: to the
	 * public ones, and on a controller to all, as no proxy has to intercept its handlers.
	 * @param type the type, or a proxy of it
	 * @return the annotations that apply to each annotated method, one declared per rule
	 * @throws InvalidAnnotationException if an element names a rule twice, or an
	 * exemption contradicts an annotation or has nothing to exempt from
	 */
	public static Map<Method, List<RateLimitedAnnotation>> of(Class<?> type) {
		Class<?> userType = ClassUtils.getUserClass(type);
		if (!annotatedTypes.computeIfAbsent(userType, RateLimitedAnnotations::hasAny)) {
			return Map.of();
		}
		List<MergedAnnotation<RateLimited>> ofClass = nearest(userType, RateLimited.class);
		boolean isController = isController(userType);
		return MethodIntrospector.selectMethods(userType,
				(MethodIntrospector.MetadataLookup<List<RateLimitedAnnotation>>) (method) -> {
					List<MergedAnnotation<RateLimited>> ofMethod = nearest(method, RateLimited.class);
					boolean isOfClass = !ofClass.isEmpty() && !Modifier.isStatic(method.getModifiers())
							&& (isController || isInterceptable(method, userType));
					return (isExempt(method, userType, isOfClass, ofMethod) || (ofMethod.isEmpty() && !isOfClass))
							? null : allDeclared(method, isOfClass ? ofClass : List.of(), ofMethod);
				});
	}

	/**
	 * An application has hundreds of types, most of them without annotations; walking
	 * each hierarchy would take long.
	 */
	private static boolean hasAny(Class<?> type) {
		Set<Class<?>> types = new LinkedHashSet<>();
		addHierarchy(type, types);
		return types.stream().anyMatch(RateLimitedAnnotations::declaresAny);
	}

	/**
	 * Types of the JDK, of Spring and of the starter have no annotation of ours, and
	 * scanning their methods loads all classes that they name.
	 * {@code org.springframework.samples} is the package of Spring's sample applications.
	 */
	private static boolean isNeverAnnotated(Class<?> type) {
		String name = type.getName();
		return name.startsWith("java.")
				|| (name.startsWith("org.springframework.") && !name.startsWith("org.springframework.samples."))
				|| (name.startsWith("dev.ratelimit.") && isOfStarter(type));
	}

	/** By its jar, since an application may have such a package too. */
	private static boolean isOfStarter(Class<?> type) {
		return type.getProtectionDomain() == RateLimitedAnnotations.class.getProtectionDomain();
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
			// A method names a missing class. Spring does not create such a bean either.
			return false;
		}
	}

	private static void addHierarchy(@Nullable Class<?> type, Set<Class<?>> types) {
		if (type != null && !isNeverAnnotated(type) && types.add(type)) {
			addHierarchy(type.getSuperclass(), types);
			for (Class<?> implemented : type.getInterfaces()) {
				addHierarchy(implemented, types);
			}
		}
	}

	private static boolean isAnnotated(AnnotatedElement element) {
		MergedAnnotations annotations = MergedAnnotations.from(element);
		return annotations.isPresent(RateLimited.class) || annotations.isPresent(RateLimitExempt.class);
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

	/**
	 * Public, and not an inherited final method, as of a framework's base class, which
	 * the author of the type cannot change.
	 */
	private static boolean isInterceptable(Method method, Class<?> type) {
		return Modifier.isPublic(method.getModifiers())
				&& (method.getDeclaringClass() == type || !Modifier.isFinal(method.getModifiers()));
	}

	/**
	 * As with overridden methods, the annotation of a more distant element is not used.
	 */
	private static <A extends Annotation> List<MergedAnnotation<A>> nearest(AnnotatedElement element, Class<A> type) {
		List<MergedAnnotation<A>> all = MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY)
			.stream(type)
			.toList();
		return all.stream().filter((one) -> one.getAggregateIndex() == all.get(0).getAggregateIndex()).toList();
	}

	/**
	 * The nearest method that is annotated decides: that of a type which extends the
	 * other one. An inherited exemption may have been made for other types, so it need
	 * not have an effect here.
	 * @throws InvalidAnnotationException if the exemption contradicts an annotation, or
	 * has nothing to exempt from
	 */
	private static boolean isExempt(Method method, Class<?> type, boolean isLimitedByClass,
			List<MergedAnnotation<RateLimited>> ofMethod) {
		List<MergedAnnotation<RateLimitExempt>> exemptions = nearest(method, RateLimitExempt.class);
		if (exemptions.isEmpty()) {
			return false;
		}
		Class<?> exemptIn = declaringClass(exemptions.get(0), method);
		if (ofMethod.isEmpty()) {
			// The class that implements an abstract type may have the annotation.
			if (exemptIn == type && !isLimitedByClass && !Modifier.isAbstract(type.getModifiers())) {
				throw InvalidAnnotationException.pointlessExemption(method);
			}
			return true;
		}
		Class<?> limitedIn = declaringClass(ofMethod.get(0), method);
		boolean exemptIsNearer = limitedIn.isAssignableFrom(exemptIn);
		if (exemptIsNearer == exemptIn.isAssignableFrom(limitedIn)) {
			RateLimitedAnnotation declared = declared(ofMethod.get(0), method);
			throw declared.invalid("value", declared.rule(),
					"contradicts @RateLimitExempt on that method of " + exemptIn.getName(),
					"Remove one of the two, or annotate a method that overrides both");
		}
		return exemptIsNearer;
	}

	private static Class<?> declaringClass(MergedAnnotation<?> annotation, Method method) {
		return ((annotation.getSource() instanceof Method source) ? source : method).getDeclaringClass();
	}

	/**
	 * If both name the same rule, the method's annotation is used instead of the class's.
	 */
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
