package dev.ratelimit.web;

import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

import dev.ratelimit.limiter.CompiledRule;
import dev.ratelimit.rule.Condition;
import dev.ratelimit.rule.Cost;
import dev.ratelimit.rule.KeySource;
import dev.ratelimit.rule.KeySource.Kind;
import dev.ratelimit.rule.OnLimit;
import dev.ratelimit.rule.RLConfig;

/**
 * What rules need of a request and of its adapter, known when they come into force. An
 * adapter collects such facts before the rules are decided, and takes no step that no
 * rule needs.
 *
 * @param reads what a rule reads of every request that it matches
 * @param mayRead what a rule may read of some of them: for any part of its key, its plan,
 * its condition or a bean. An adapter that can still obtain it then need not collect it
 * @param delay whether a rule may delay a request
 * @param watches whether the outcome of a request matters to a rule
 */
public record RequestNeeds(Identity reads, Identity mayRead, boolean delay, boolean watches) {

	/** Nothing but the line and the headers of a request. */
	public static final RequestNeeds NONE = new RequestNeeds(Identity.NONE, Identity.NONE, false, false);

	/** What one rule needs. */
	static RequestNeeds of(RLConfig rule) {
		List<KeySource> key = rule.key().sources();
		Condition when = rule.requests().when();
		Identity mayRead = Stream.concat(key.stream(), rule.allowances().plans().key().stream())
			.map(Identity::of)
			.reduce(Identity.of(when).and(Identity.of(rule.counting().cost())), Identity::and);
		KeySource first = key.get(0);
		return new RequestNeeds(
				(when instanceof Condition.Always && first.kind() != Kind.BEAN) ? Identity.of(first) : Identity.NONE,
				mayRead, rule.enforcement().onLimit() instanceof OnLimit.Delay, !rule.counting().countOn().isAlways());
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
		return equals(NONE) ? other : new RequestNeeds(this.reads.and(other.reads), this.mayRead.and(other.mayRead),
				this.delay || other.delay, this.watches || other.watches);
	}

	/**
	 * Facts about who sends a request, which take a step to obtain.
	 *
	 * @param user the user, or a claim of the user
	 * @param session the session
	 */
	public record Identity(boolean user, boolean session) {

		static final Identity NONE = new Identity(false, false);

		static final Identity USER = new Identity(true, false);

		static final Identity SESSION = new Identity(false, true);

		static final Identity ALL = new Identity(true, true);

		/** What a key source reads; a bean may read all. */
		private static Identity of(KeySource source) {
			return switch (source.kind()) {
				case PRINCIPAL, CLAIM -> USER;
				case SESSION -> SESSION;
				case BEAN -> ALL;
				default -> NONE;
			};
		}

		/** An expression has the name of the user, and no session. */
		private static Identity of(Condition when) {
			return (when instanceof Condition.Always) ? NONE : (when instanceof Condition.Expression) ? USER : ALL;
		}

		private static Identity of(Cost cost) {
			return (cost instanceof Cost.BeanCost) ? ALL : NONE;
		}

		private Identity and(Identity other) {
			return equals(other) ? this : new Identity(this.user || other.user, this.session || other.session);
		}

	}

}
