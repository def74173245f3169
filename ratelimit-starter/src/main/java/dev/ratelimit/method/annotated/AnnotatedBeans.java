package dev.ratelimit.method.annotated;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLConfigBuilder;
import dev.ratelimit.rule.RuleSet;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

/**
 * The annotated types among the beans of an application, found by their definitions
 * without creating beans. Costs one scan of the methods of each type, except those of the
 * JDK, of Spring and of the starter.
 */
public final class AnnotatedBeans {

	private final Set<Class<?>> types = new LinkedHashSet<>();

	/**
	 * Find the annotated types.
	 * @param beanFactory the beans
	 * @throws InvalidAnnotationException if an element names a rule twice
	 */
	public AnnotatedBeans(ConfigurableListableBeanFactory beanFactory) {
		Stream.concat(Stream.of(beanFactory.getBeanDefinitionNames()), Stream.of(beanFactory.getSingletonNames()))
			.map((name) -> type(beanFactory, name))
			.distinct()
			.filter((type) -> !RateLimitedAnnotations.of(type).isEmpty())
			.forEach(this.types::add);
	}

	/** A type with missing classes cannot be a bean that is called. */
	private static Class<?> type(ConfigurableListableBeanFactory beanFactory, String name) {
		try {
			Class<?> type = beanFactory.getType(name, false);
			return (type != null) ? ClassUtils.getUserClass(type) : Object.class;
		}
		catch (RuntimeException | LinkageError ex) {
			return Object.class;
		}
	}

	/**
	 * The annotated types.
	 * @return the types, without proxy types
	 */
	public Set<Class<?>> types() {
		return Set.copyOf(this.types);
	}

	/**
	 * The rules that are named together by one handler of a controller.
	 * @return the ids, one entry per handler
	 */
	public List<Set<String>> namedByHandlers() {
		return named(true);
	}

	/**
	 * The rules that are named together by one method of another bean.
	 * @return the ids, one entry per method
	 */
	public List<Set<String>> namedByMethods() {
		return named(false);
	}

	private List<Set<String>> named(boolean atHandlers) {
		return this.types.stream()
			.filter((type) -> RateLimitedAnnotations.isController(type) == atHandlers)
			.flatMap((type) -> RateLimitedAnnotations.of(type).values().stream())
			.map((annotations) -> annotations.stream()
				.map(RateLimitedAnnotation::rule)
				.collect(Collectors.toUnmodifiableSet()))
			.toList();
	}

	/**
	 * Add the rules that are declared in annotations.
	 * @param configured the rules of the configuration
	 * @param defaults creates a rule from an id and an algorithm, with the defaults of
	 * the application; without an algorithm it has the default one
	 * @return all rules
	 * @throws InvalidAnnotationException if a rule is not valid, or its id is used by
	 * another rule
	 */
	public RuleSet join(RuleSet configured, BiFunction<String, Optional<Algorithm>, RLConfigBuilder> defaults) {
		Map<String, RateLimitedAnnotation> written = new LinkedHashMap<>();
		List<RLConfig> all = new ArrayList<>(configured.rules());
		for (Class<?> type : this.types) {
			for (List<RateLimitedAnnotation> annotations : RateLimitedAnnotations.of(type).values()) {
				for (RateLimitedAnnotation annotation : annotations) {
					if (annotation.isInline()) {
						add(annotation, annotation.config(defaults), configured, written, all);
					}
				}
			}
		}
		return new RuleSet(all);
	}

	private static void add(RateLimitedAnnotation annotation, RLConfig rule, RuleSet configured,
			Map<String, RateLimitedAnnotation> written, List<RLConfig> all) {
		RateLimitedAnnotation other = written.putIfAbsent(rule.id(), annotation);
		boolean sameElement = other != null && other.source().equals(annotation.source());
		boolean known = configured.find(rule.id()).isPresent() || other != null;
		if (known && !sameElement && (!annotation.isNamed() || !all.contains(rule))) {
			throw annotation.invalid("value", rule.id(), "is the id of another rule with other settings",
					"Give it an id of its own, or name that rule without thresholds");
		}
		if (!known) {
			all.add(rule);
		}
	}

}
