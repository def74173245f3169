package dev.ratelimit.web;

import java.util.Collection;

import dev.ratelimit.limiter.CompiledRule;
import dev.ratelimit.rule.Condition;
import dev.ratelimit.rule.KeySource;
import dev.ratelimit.rule.OnLimit;
import dev.ratelimit.rule.RLConfig;

/**
 * What rules need of a request and of its adapter, known when they come into force. An
 * adapter collects such facts before the rules are decided, and takes no step that no
 * rule needs.
 *
 * @param user whether a rule reads the user, or a claim of the user, of every request
 * that it matches. What depends on a condition, on another part of the key or on a bean
 * is read when it is used
 * @param session whether a rule reads the session of every request that it matches
 * @param delay whether a rule may delay a request
 * @param outcome whether the outcome of a request matters to a rule
 */
public record RequestNeeds(boolean user, boolean session, boolean delay, boolean outcome) {

	/** Nothing but the line and the headers of a request. */
	public static final RequestNeeds NONE = new RequestNeeds(false, false, false, false);

	/** What one rule needs. */
	static RequestNeeds of(RLConfig rule) {
		return new RequestNeeds(reads(rule, KeySource.Kind.PRINCIPAL) || reads(rule, KeySource.Kind.CLAIM),
				reads(rule, KeySource.Kind.SESSION), rule.enforcement().onLimit() instanceof OnLimit.Delay,
				!rule.counting().countOn().isAlways());
	}

	private static boolean reads(RLConfig rule, KeySource.Kind kind) {
		return rule.requests().when() instanceof Condition.Always && rule.key().sources().get(0).kind() == kind;
	}

	/** What all rules of a rule set need. */
	static RequestNeeds of(Collection<CompiledRule> rules) {
		RequestNeeds needs = NONE;
		for (CompiledRule rule : rules) {
			needs = needs.and(of(rule.config()));
		}
		return needs;
	}

	/**
	 * What these rules and others need. Creates an object only if both need something.
	 */
	RequestNeeds and(RequestNeeds other) {
		if (equals(other) || other.equals(NONE)) {
			return this;
		}
		return equals(NONE) ? other : new RequestNeeds(this.user || other.user, this.session || other.session,
				this.delay || other.delay, this.outcome || other.outcome);
	}

}
