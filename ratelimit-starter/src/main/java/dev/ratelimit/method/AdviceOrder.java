package dev.ratelimit.method;

import java.lang.reflect.Method;
import java.util.List;

import dev.ratelimit.rule.KeySource;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.support.LogFields;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;

/**
 * Warns of methods that count by an argument before other advice decides whether a call
 * reaches them at all: a caller that is denied uses up the limit of another one.
 */
final class AdviceOrder {

	private static final Logger logger = LoggerFactory.getLogger(AdviceOrder.class);

	private static final String CACHEABLE = "org.springframework.cache.annotation.Cacheable";

	/** By name, because none of them need be on the class path. */
	private static final List<String> ENDING = List.of("org.springframework.security.access.prepost.PreAuthorize",
			"org.springframework.security.access.prepost.PostAuthorize",
			"org.springframework.security.access.annotation.Secured", "jakarta.annotation.security.RolesAllowed",
			CACHEABLE, "org.springframework.validation.annotation.Validated");

	private AdviceOrder() {
	}

	/**
	 * Warn of a method.
	 * @param method the method
	 * @param type the type of the bean
	 * @param rule a rule that guards it
	 * @param key what that rule counts by at this method
	 */
	static void warn(Method method, Class<?> type, RLConfig rule, List<KeySource> key) {
		if (key.stream().anyMatch((source) -> source.kind() != KeySource.Kind.ARG)) {
			return; // Its callers do not share a limit, or all of them do.
		}
		MergedAnnotations ofMethod = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
		MergedAnnotations ofType = MergedAnnotations.from(type, SearchStrategy.TYPE_HIERARCHY);
		List<String> found = ENDING.stream()
			.filter((name) -> ofMethod.isPresent(name) || ofType.isPresent(name))
			.filter((name) -> name.equals(CACHEABLE) || rule.counting().countOn().counts(RateLimitedInterceptor.FAILED))
			.map((name) -> "@" + ClassUtils.getShortName(name))
			.toList();
		if (!found.isEmpty()) {
			logger.atWarn()
				.addKeyValue(LogFields.RULE, rule.id())
				.log("Rate limit rule '{}' counts calls of {} by {} before {}: calls that end there count "
						+ "as well, and one caller can use up the limit of another. Add principal to the key, or see "
						+ "'Order of advice' in docs/annotation.md.", rule.id(),
						ClassUtils.getQualifiedMethodName(method, type), key, String.join(" and ", found));
		}
	}

}
