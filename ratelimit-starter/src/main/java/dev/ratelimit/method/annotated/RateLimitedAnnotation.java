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
 * @param source the method or class that carries it: the method itself, one that it
 * overrides, or a class or interface above it
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
	 * Whether the annotation gives an id.
	 * @return whether it does; if not, the id is made from the names of class and method
	 */
	boolean isNamed() {
		return !this.annotation.value().isEmpty() || !isInline();
	}

	/**
	 * Whether the rule is written here.
	 * @return whether it is; if not, the configuration has it
	 */
	public boolean isInline() {
		return this.annotation.thresholds().length > 0;
	}

	/**
	 * Whether it stands on a method.
	 * @return whether it does; if not, it stands on a class
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
	 * What the annotation gives for a key.
	 * @return the sources; none if it says nothing
	 * @throws InvalidRuleException if one is no source
	 */
	public List<KeySource> key() {
		return Arrays.stream(this.annotation.key()).map(KeySource::valueOf).toList();
	}

	/**
	 * The rule that is written here.
	 * @param defaults makes a rule of an id and an algorithm with the defaults of the
	 * application
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
				// What a call costs is the method's to say: the default does not count.
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
	 * Make something of the annotation, and let what is wrong with it name the method.
	 * @param <T> the type of what is made
	 * @param maker makes it
	 * @return what was made
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
	 * That there is no such rule.
	 * @param rules the rules that there are
	 * @return the exception
	 */
	public InvalidAnnotationException unknown(RuleSet rules) {
		return isInline()
				? invalid("thresholds", String.join(", ", this.annotation.thresholds()),
						"was not seen: the definition of the bean does not tell its class",
						"Let the bean method return the class that is annotated, or annotate what it returns")
				: invalid("value", rule(), "is no rule",
						"The rules are " + rules.rules().stream().map(RLConfig::id).sorted().toList());
	}

	/**
	 * What is wrong with the annotation.
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
