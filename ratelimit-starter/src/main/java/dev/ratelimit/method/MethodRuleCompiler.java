package dev.ratelimit.method;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.regex.Pattern;

import dev.ratelimit.RateLimited;
import dev.ratelimit.RateLimited.OnLimit;
import dev.ratelimit.limiter.CompiledRule;
import dev.ratelimit.limiter.CompiledRules;
import dev.ratelimit.limiter.SubjectEncoder;
import dev.ratelimit.method.annotated.RateLimitedAnnotation;
import dev.ratelimit.rule.Cost;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.KeySource;
import dev.ratelimit.rule.RLConfig;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.convert.DurationStyle;

/**
 * Compiles the annotations of one method into its rules.
 */
final class MethodRuleCompiler {

	private static final KeySource IP = new KeySource(KeySource.Kind.IP, "");

	private static final Pattern DURATION = Pattern.compile("[0-9]{1,9}(ms|s|m|h)");

	private final Method method;

	private final Class<?> type;

	private final CompiledRules rules;

	private final SubjectEncoder subjects;

	private final RequestKeys requestKeys;

	MethodRuleCompiler(Method method, Class<?> type, CompiledRules rules, SubjectEncoder subjects,
			RequestKeys requestKeys) {
		this.method = method;
		this.type = type;
		this.rules = rules;
		this.subjects = subjects;
		this.requestKeys = requestKeys;
	}

	/**
	 * Compile an annotation.
	 * @param annotation the annotation
	 * @return the method's rule; empty if that rule is disabled
	 * @throws InvalidRuleException if it is not valid
	 */
	Optional<MethodRule> compile(RateLimitedAnnotation annotation) {
		RLConfig config = this.rules.ruleSet()
			.find(annotation.rule())
			.orElseThrow(() -> annotation.unknown(this.rules.ruleSet()));
		Interception.requireOutcome(this.method, this.type, config);
		Arguments arguments = new Arguments(this.method, annotation.source());
		Predicate<@Nullable Object[]> condition = condition(arguments, annotation.annotation().when());
		List<ArgumentFunction<Optional<String>>> key = key(arguments, config, annotation);
		Optional<CompiledRule> rule = this.rules.find(annotation.rule());
		ToLongFunction<@Nullable Object[]> cost = cost(arguments, config, rule, annotation.annotation().cost());
		Optional<FallbackMethod> fallback = FallbackMethod.find(this.method, this.type,
				annotation.annotation().fallbackMethod());
		return rule.map((compiled) -> new MethodRule(compiled, condition, key, part(config.id(), arguments, IP), cost,
				fallback, maxWait(compiled, annotation.annotation()), this.subjects));
	}

	private static Optional<Duration> maxWait(CompiledRule rule, RateLimited annotation) {
		if (annotation.onLimit() == OnLimit.REJECT) {
			return Optional.empty();
		}
		if (!rule.givesTurns()) {
			throw new InvalidRuleException("onLimit", "DELAY",
					"is not for rule '%s', which gives no turns".formatted(rule.id()),
					"Give it algorithm sliding-window-log, mode strict and count-rejected false");
		}
		if (!DURATION.matcher(annotation.maxWait()).matches()) {
			throw new InvalidRuleException("maxWait", annotation.maxWait(), "is no duration with its unit",
					"Write it like 500ms, 2s or 1m");
		}
		return Optional.of(DurationStyle.SIMPLE.parse(annotation.maxWait()));
	}

	private static Predicate<@Nullable Object[]> condition(Arguments arguments, String when) {
		if (when.isEmpty()) {
			return (call) -> true;
		}
		ArgumentFunction<@Nullable Object> expression = arguments.expression("when", when);
		return (call) -> {
			if (expression.of(call) instanceof Boolean applies) {
				return applies;
			}
			throw new IllegalStateException("The condition (when) '" + when + "' is neither true nor false");
		};
	}

	/**
	 * The key of the rule; for a rule of the configuration, the values of its key.
	 */
	private List<ArgumentFunction<Optional<String>>> key(Arguments arguments, RLConfig config,
			RateLimitedAnnotation annotation) {
		List<KeySource> sources = annotation.key().isEmpty() ? config.key().sources() : annotation.key();
		if (sources.size() != config.key().sources().size()) {
			throw new InvalidRuleException("key", sources.toString(),
					"has %d values, but the rule counts by %s".formatted(sources.size(), config.key().sources()),
					"Give one value for each of them");
		}
		List<ArgumentFunction<Optional<String>>> parts = new ArrayList<>(sources.size());
		for (KeySource source : sources) {
			if (!annotation.isInline() && !annotation.key().isEmpty() && source.kind() != KeySource.Kind.ARG) {
				throw new InvalidRuleException("key", source.toString(),
						"is not what rule '%s' counts by".formatted(config.id()),
						"Leave it out, or give a value for it from the arguments");
			}
			parts.add(part(config.id(), arguments, source));
		}
		return parts;
	}

	private ArgumentFunction<Optional<String>> part(String rule, Arguments arguments, KeySource source) {
		if (source.kind() == KeySource.Kind.ARG) {
			ArgumentFunction<@Nullable Object> expression = arguments.key(source.name());
			return (call) -> KeyText.of(expression.of(call));
		}
		if (source.kind() == KeySource.Kind.GLOBAL) {
			return (call) -> Optional.of("");
		}
		Supplier<Optional<String>> resolver = this.requestKeys.resolver(rule, source);
		return (call) -> resolver.get();
	}

	private static ToLongFunction<@Nullable Object[]> cost(Arguments arguments, RLConfig config,
			Optional<CompiledRule> rule, String text) {
		if (text.contains("#")) {
			ArgumentFunction<@Nullable Object> expression = arguments.expression("cost", text);
			return (call) -> {
				if (expression.of(call) instanceof Number permits) {
					return permits.longValue();
				}
				throw new IllegalStateException("The cost '" + text + "' is no number");
			};
		}
		Cost cost = text.isEmpty() ? config.counting().cost() : Cost.valueOf(text);
		if (!text.isEmpty() && !(cost instanceof Cost.Fixed)) {
			throw new InvalidRuleException("cost", text, "is worked out from requests, and this is no request",
					"Write a whole number, or an expression over arguments such as #items.size()");
		}
		long permits = (cost instanceof Cost.Fixed fixed) ? fixed.permits() : 1;
		long most = rule.map(CompiledRule::largestCost).orElse(Long.MAX_VALUE);
		if (!text.isEmpty() && permits > most) {
			throw new InvalidRuleException("cost", text, "is more than rule '%s' admits at once".formatted(config.id()),
					"Write at most %d, or give the rule a larger threshold; a log admits at most %d at once"
						.formatted(most, RLConfig.MAX_LOG_COST));
		}
		return (call) -> permits;
	}

}
