package dev.ratelimit.method.annotated;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Supplier;

import dev.ratelimit.RateLimited;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.KeySource;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLConfigBuilder;
import dev.ratelimit.rule.RuleSet;

/**
 * One annotation as it applies to one method.
 *
 * @param annotation the annotation
 * @param source the method or class with the annotation: the method itself, an overridden
 * method, or a class or interface above it
 * @param method the method it applies to
 */
public record RateLimitedAnnotation(RateLimited annotation, AnnotatedElement source, Method method) {

	/**
	 * The rule that it names.
	 * @return the id
	 */
	public String rule() {
		return isNamed() ? this.annotation.value() : derivedId();
	}

	/**
	 * Whether the annotation has an id.
	 * @return whether it does; if not, the id is derived from the names of class and
	 * method
	 */
	boolean isNamed() {
		return !this.annotation.value().isEmpty() || !isInline();
	}

	/**
	 * Whether the rule is declared in the annotation.
	 * @return whether it is; if not, it is a rule of the configuration
	 */
	public boolean isInline() {
		return this.annotation.thresholds().length > 0;
	}

	/**
	 * Whether the annotation is on a method.
	 * @return whether it is; if not, it is on a class
	 */
	public boolean isOnMethod() {
		return this.source instanceof Method;
	}

	private String derivedId() {
		return (this.source instanceof Method annotated)
				? kebab(annotated.getDeclaringClass().getSimpleName()) + "-" + kebab(annotated.getName())
				: kebab(((Class<?>) this.source).getSimpleName());
	}

	private static String kebab(String name) {
		return name.replaceAll("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "-").toLowerCase(Locale.ROOT);
	}

	/**
	 * The key of the annotation.
	 * @return the sources; none if it has no key
	 * @throws InvalidRuleException if one is not a valid source
	 */
	public List<KeySource> key() {
		return Arrays.stream(this.annotation.key()).map(KeySource::valueOf).toList();
	}

	/**
	 * The rule that is declared in the annotation.
	 * @param defaults creates a rule from an id and an algorithm, with the defaults of
	 * the application
	 * @return the rule
	 * @throws InvalidAnnotationException if it is not valid
	 */
	RLConfig config(BiFunction<String, Optional<Algorithm>, RLConfigBuilder> defaults) {
		return explain(() -> {
			RLConfigBuilder builder = defaults.apply(rule(), algorithm());
			builder.thresholds(this.annotation.thresholds());
			if (this.annotation.key().length > 0) {
				builder.key(key());
			}
			if (!this.annotation.cost().isEmpty()) {
				// The method defines the cost of its calls, so a default cost is not
				// used.
				builder.cost(1);
			}
			return builder.build();
		});
	}

	private Optional<Algorithm> algorithm() {
		if (this.annotation.algorithm().isEmpty()) {
			return Optional.empty();
		}
		for (Algorithm algorithm : Algorithm.values()) {
			if (algorithm.text().equals(this.annotation.algorithm())) {
				return Optional.of(algorithm);
			}
		}
		throw new InvalidRuleException("algorithm", this.annotation.algorithm(), "is no algorithm",
				"Use one of " + Arrays.stream(Algorithm.values()).map(Algorithm::text).toList());
	}

	/**
	 * Create an object from the annotation; if the annotation is not valid, the exception
	 * names the method.
	 * @param <T> the type of the object
	 * @param maker creates it
	 * @return the object
	 * @throws InvalidAnnotationException if the annotation is not valid
	 */
	public <T> T explain(Supplier<T> maker) {
		try {
			return maker.get();
		}
		catch (InvalidAnnotationException ex) {
			throw ex;
		}
		catch (InvalidRuleException ex) {
			throw new InvalidAnnotationException(isOnMethod() ? this.source : this.method, ex);
		}
	}

	/**
	 * Create the exception for an unknown rule.
	 * @param rules the existing rules
	 * @return the exception
	 */
	public InvalidAnnotationException unknown(RuleSet rules) {
		return isInline()
				? invalid("thresholds", String.join(", ", this.annotation.thresholds()),
						"was not seen: the definition of the bean does not name its class",
						"Let the bean method return the class that is annotated, or annotate what it returns")
				: invalid("value", rule(), "is no rule",
						"The rules are " + rules.rules().stream().map(RLConfig::id).sorted().toList());
	}

	/**
	 * Create the exception for an invalid attribute.
	 * @param attribute the attribute
	 * @param value its value
	 * @param reason what is wrong: a clause that completes "the value ..."
	 * @param cure what to write instead: a sentence
	 * @return the exception
	 */
	public InvalidAnnotationException invalid(String attribute, String value, String reason, String cure) {
		return new InvalidAnnotationException(isOnMethod() ? this.source : this.method,
				new InvalidRuleException(attribute, value, reason, cure));
	}

}
