package dev.ratelimit.web;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

import dev.ratelimit.limiter.CompiledRule;
import dev.ratelimit.limiter.RuleApplication;
import dev.ratelimit.limiter.RuleApplicationFacts;
import dev.ratelimit.limiter.RuleRequest;
import dev.ratelimit.limiter.SubjectEncoder;
import dev.ratelimit.rule.Condition;
import dev.ratelimit.rule.Cost;
import dev.ratelimit.rule.KeySource;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.web.condition.CompiledCondition;
import dev.ratelimit.web.key.CompiledCost;
import dev.ratelimit.web.key.Keys;
import dev.ratelimit.web.key.RequestBeans;
import dev.ratelimit.web.key.RequestFacts;
import org.jspecify.annotations.Nullable;

import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPattern;

/**
 * One rule in its HTTP form: key sources, plan, cost and condition as resolvers, all
 * created when the rule set was built. It has an identity: a request is matched once by
 * each route, also where two are of the same rule.
 */
public final class Route {

	private final CompiledRule rule;

	private final boolean beforeSecurity;

	private final RequestNeeds needs;

	private final CompiledCondition condition;

	private final boolean usesVariables;

	private final Keys keys;

	private final Optional<Keys> plan;

	private final CompiledCost cost;

	private final SubjectEncoder subjects;

	Route(CompiledRule rule, RequestBeans beans, SubjectEncoder subjects, LongSupplier nanoTime) {
		this(rule, rule.config(), beans, subjects, nanoTime);
	}

	/**
	 * A rule as named by one handler.
	 * @param rule the rule
	 * @param config the same rule with the cost and the condition that hold there
	 */
	Route(CompiledRule rule, RLConfig config, RequestBeans beans, SubjectEncoder subjects, LongSupplier nanoTime) {
		this.rule = rule;
		this.beforeSecurity = switch (config.requests().stage()) {
			case AUTO -> isAnonymous(config);
			case BEFORE_SECURITY -> true;
			case AFTER_SECURITY -> false;
		};
		this.needs = RequestNeeds.of(config);
		this.condition = CompiledCondition.of(config, beans, nanoTime);
		this.usesVariables = this.condition.usesPathVariables()
				|| config.key().sources().stream().anyMatch(Route::isVariable)
				|| config.allowances().plans().key().filter(Route::isVariable).isPresent();
		this.keys = new Keys(rule.id(), config.key().sources(), "key", beans, nanoTime);
		this.plan = config.allowances()
			.plans()
			.key()
			.map((source) -> new Keys(rule.id(), List.of(source), "plan-key", beans, nanoTime));
		this.cost = CompiledCost.of(config, beans, nanoTime);
		this.subjects = subjects;
	}

	private static boolean isVariable(KeySource source) {
		return source.kind() == KeySource.Kind.PATH;
	}

	/**
	 * Facts that identify a client are trusted only behind Spring Security, and a request
	 * is not stored before Spring Security has admitted it.
	 */
	private static boolean isAnonymous(RLConfig config) {
		return config.key().sources().stream().allMatch(KeySource::isAnonymous)
				&& config.allowances().plans().key().isEmpty() && config.requests().when() instanceof Condition.Always
				&& config.counting().cost() instanceof Cost.Fixed && !config.enforcement().onLimit().isHandledLater();
	}

	public CompiledRule rule() {
		return this.rule;
	}

	/** What the rule needs of a request. */
	RequestNeeds needs() {
		return this.needs;
	}

	public boolean isBeforeSecurity() {
		return this.beforeSecurity;
	}

	/**
	 * Apply this rule to a request that it matches.
	 * @param request the facts of the request
	 * @param variables the variables of its path, as far as this rule uses them
	 * @return the subject to count, or what to do for lack of a key
	 */
	public RuleApplication apply(RequestFacts request, Map<String, String> variables) {
		return RuleApplication.of(this.rule, new MatchedRequest(request, variables), this.subjects);
	}

	/**
	 * Match a path.
	 * @param pattern a pattern
	 * @param path the path
	 * @return the variables of the path; none if this rule uses none. {@code null} if the
	 * pattern does not match
	 */
	@Nullable Map<String, String> match(PathPattern pattern, PathContainer path) {
		if (!this.usesVariables) {
			return pattern.matches(path) ? Map.of() : null;
		}
		PathPattern.PathMatchInfo match = pattern.matchAndExtract(path);
		return (match != null) ? match.getUriVariables() : null;
	}

	/** The facts of a request that this rule matches. */
	private final class MatchedRequest implements RuleApplicationFacts {

		private final RequestFacts request;

		private final Map<String, String> variables;

		MatchedRequest(RequestFacts request, Map<String, String> variables) {
			this.request = request;
			this.variables = variables;
		}

		@Override
		public boolean meetsCondition() {
			return Route.this.condition.matches(this.request, this.variables);
		}

		@Override
		public Optional<List<String>> key() {
			return Route.this.keys.resolve(this.request, this.variables);
		}

		@Override
		public Optional<String> plan() {
			return Route.this.plan.flatMap((keys) -> keys.resolve(this.request, this.variables))
				.map((name) -> name.get(0));
		}

		@Override
		public long cost() {
			return Route.this.cost.of(this.request);
		}

		@Override
		public Optional<String> address() {
			return Optional.of(this.request.address());
		}

		@Override
		public RuleRequest withTurn(RuleRequest ruleRequest) {
			return ruleRequest.asTheRuleDelays();
		}

	}

}
