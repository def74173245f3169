package dev.ratelimit.limiter.rules;

import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

import dev.ratelimit.NamedRateLimiter;
import dev.ratelimit.RateLimiter;
import dev.ratelimit.RateLimiters;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.OnLimit;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLConfigBuilder;
import dev.ratelimit.rule.live.CodeRules;
import dev.ratelimit.rule.live.RuleRefresh;

/**
 * Makes limiters whose rules are in force with those of the configuration.
 */
public final class CodeRateLimiters implements RateLimiters {

	/** Any value may be the key, and none is stored in the clear. */
	private static final String KEY = "arg:key";

	private final CodeRules made;

	private final ActiveRules rules;

	private final Supplier<RuleRefresh> refresh;

	private final Function<String, RLConfigBuilder> defaults;

	private final RateLimiter limiter;

	/**
	 * Create an instance.
	 * @param made receives the rules; joined with those of the sources when rules are
	 * compiled
	 * @param rules the rules in force
	 * @param refresh brings rules into force
	 * @param defaults creates a rule with the defaults of the application from its id
	 * @param limiter decides
	 */
	public CodeRateLimiters(CodeRules made, ActiveRules rules, Supplier<RuleRefresh> refresh,
			Function<String, RLConfigBuilder> defaults, RateLimiter limiter) {
		this.made = made;
		this.rules = rules;
		this.refresh = refresh;
		this.defaults = defaults;
		this.limiter = limiter;
	}

	@Override
	public NamedRateLimiter of(String id, String... thresholds) {
		return create(this.defaults.apply(id).key(KEY).onLimit(OnLimit.REJECT).thresholds(thresholds).build());
	}

	@Override
	public NamedRateLimiter create(RLConfig rule) {
		if (!rule.requests().paths().isEmpty()) {
			throw unfit(rule, "has paths");
		}
		if (rule.enforcement().onLimit().kind() != OnLimit.OnLimitKind.REJECT) {
			throw unfit(rule, "delays or enqueues requests");
		}
		if (!isInForce(rule)) {
			requireCompilable(rule);
			this.refresh.get().include(() -> admit(rule), () -> this.made.remove(rule));
		}
		return new NamedRateLimiter(this.limiter, rule.id());
	}

	/**
	 * A rule that another thread adds is known before it is in force, and may yet fail.
	 */
	private boolean isInForce(RLConfig rule) {
		Optional<RLConfig> same = Optional.of(rule);
		return this.made.find(rule.id()).equals(same) && this.rules.get().ruleSet().find(rule.id()).equals(same);
	}

	private static IllegalArgumentException unfit(RLConfig rule, String reason) {
		return new IllegalArgumentException(
				"Rule '%s' %s, but only code names it. Configure it under ratelimit.rules.%s instead"
					.formatted(rule.id(), reason, rule.id()));
	}

	/** The property would be one of the configuration, where no rule has this id. */
	private void requireCompilable(RLConfig rule) {
		try {
			this.rules.get().check(rule);
		}
		catch (InvalidRuleException ex) {
			throw new IllegalArgumentException("Limiter '%s': %s '%s' %s. %s".formatted(rule.id(),
					ex.property().replace("rules." + rule.id() + ".", ""), ex.value(), ex.reason(), ex.cure()));
		}
	}

	/** Whether the rule is new. */
	private boolean admit(RLConfig rule) {
		if (this.made.find(rule.id()).equals(Optional.of(rule))) {
			return false;
		}
		if (this.rules.get().ruleSet().find(rule.id()).filter((other) -> !other.equals(rule)).isPresent()) {
			throw new IllegalArgumentException(
					"There is a rule '%s' with other settings. Give each limiter an id of its own"
						.formatted(rule.id()));
		}
		if (this.made.size() >= MAX_LIMITERS) {
			throw new IllegalStateException(
					"%d limiters were made in code, and there can be no more. An id must not come from a request"
						.formatted(MAX_LIMITERS));
		}
		this.made.add(rule);
		return true;
	}

}
