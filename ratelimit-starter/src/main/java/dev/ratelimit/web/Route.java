package dev.ratelimit.web;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

import dev.ratelimit.limiter.Ask;
import dev.ratelimit.limiter.CompiledRule;
import dev.ratelimit.limiter.Subjects;
import dev.ratelimit.rule.KeySource;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLThreshold;
import dev.ratelimit.web.key.KeyResolver;
import dev.ratelimit.web.key.Keys;
import dev.ratelimit.web.key.RequestFacts;

import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPattern;

/**
 * One rule as HTTP sees it: key sources turned into resolvers and header texts written
 * when the rule set was built.
 */
final class Route {

	private final CompiledRule rule;

	private final boolean usesVariables;

	private final boolean beforeSecurity;

	private final Keys keys;

	private final Subjects subjects;

	private final String policyField;

	Route(CompiledRule rule, Function<String, KeyResolver> resolverBeans, Subjects subjects) {
		RLConfig config = rule.config();
		this.rule = rule;
		this.usesVariables = config.key().stream().anyMatch((source) -> source.kind() == KeySource.Kind.PATH);
		this.beforeSecurity = switch (config.stage()) {
			case AUTO -> config.key().stream().allMatch(KeySource::isAnonymous);
			case BEFORE_SECURITY -> true;
			case AFTER_SECURITY -> false;
		};
		this.keys = new Keys(config.key(), resolverBeans);
		this.subjects = subjects;
		this.policyField = policyField(rule);
	}

	private static String policyField(CompiledRule rule) {
		StringBuilder field = new StringBuilder();
		for (int i = 0; i < rule.policies().size(); i++) {
			RLThreshold threshold = rule.thresholds().get(i);
			field.append(field.isEmpty() ? "\"" : ",\"").append(rule.policies().get(i));
			field.append("\";q=").append(threshold.burst());
			if (threshold.window().toMillis() % 1000 == 0) {
				field.append(";w=").append(threshold.window().toSeconds());
			}
		}
		return field.toString();
	}

	CompiledRule rule() {
		return this.rule;
	}

	/** The items of the rule in {@code RateLimit-Policy}. */
	String policyField() {
		return this.policyField;
	}

	boolean isBeforeSecurity() {
		return this.beforeSecurity;
	}

	/**
	 * What this rule asks about a request that it matches.
	 * @param request the facts of the request
	 * @param pattern the pattern that matched
	 * @param path the path that it matched
	 * @return whom to count, or what to do for lack of a key
	 */
	Application apply(RequestFacts request, PathPattern pattern, PathContainer path) {
		Optional<List<String>> values = this.keys.resolve(request, variables(pattern, path));
		if (values.isPresent()) {
			return new Counts(this.subjects.byKey(this.rule, values.get(), 1));
		}
		return switch (this.rule.config().onMissingKey()) {
			case IP -> new Counts(this.subjects.byAddress(this.rule, request.address(), 1));
			case SHARED -> new Counts(this.subjects.keyless(this.rule, 1));
			case DENY -> new Denies();
			case SKIP -> new Skips();
		};
	}

	private Map<String, String> variables(PathPattern pattern, PathContainer path) {
		PathPattern.PathMatchInfo match = this.usesVariables ? pattern.matchAndExtract(path) : null;
		return (match != null) ? match.getUriVariables() : Map.of();
	}

	/** How a rule applies to a request that it matches. */
	sealed interface Application {

	}

	/**
	 * It counts somebody.
	 *
	 * @param ask whom
	 */
	record Counts(Ask ask) implements Application {
	}

	/** It does not apply, because the request lacks its key. */
	record Skips() implements Application {
	}

	/** It refuses, because the request lacks its key. */
	record Denies() implements Application {
	}

}
