package dev.ratelimit.limiter.outage;

import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.ratelimit.rule.Allowance;
import dev.ratelimit.rule.Mode;
import dev.ratelimit.rule.OnLimit;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLThreshold;
import dev.ratelimit.rule.RuleSet;

/**
 * Tells of which rules a refusal is final: whatever happens, the store admits nobody
 * before the wait that it named is over. That takes
 * <ul>
 * <li>that refusals do not put the wait off ({@code count-rejected}), that nobody waits
 * for a turn, who may leave, and that the rule is in force: one in shadow has to report
 * what the store says;</li>
 * <li>that no permit comes back: the store admits one by one ({@code mode: strict}), all
 * outcomes count, and no other rule that is in force may meet it on a request, as the one
 * that refuses gives back what the other took. Two rules may meet if their methods and
 * paths overlap, if one is named at a handler and the other has paths, or if code names
 * both together;</li>
 * <li>that no other plan of the same subject changes what was counted, by other windows
 * or by the pace at which a bucket flows.</li>
 * </ul>
 * Holds for all instances with the same rules. In doubt a refusal is not final.
 */
public final class FinalRefusals {

	private final RuleSet rules;

	private final NamedRules named;

	/**
	 * Look at rules.
	 * @param rules all rules
	 * @param named which of them code names
	 */
	public FinalRefusals(RuleSet rules, NamedRules named) {
		this.rules = rules;
		this.named = named;
	}

	/**
	 * Whether the refusals of a rule are final.
	 * @param rule one of the rules
	 * @return whether they are
	 */
	public boolean areThoseOf(RLConfig rule) {
		return !rule.countRejected() && rule.onLimit().kind() == OnLimit.OnLimitKind.REJECT && !rule.shadow()
				&& rule.countOn().isAlways() && rule.mode().kind() == Mode.ModeKind.STRICT
				&& plansShareTheirCounts(rule)
				&& this.rules.enabled()
					.stream()
					.noneMatch((other) -> !other.id().equals(rule.id()) && !other.shadow() && mayMeet(rule, other));
	}

	private static boolean plansShareTheirCounts(RLConfig rule) {
		Set<Object> windows = windows(rule.thresholds().stream());
		return rule.plans()
			.allowances()
			.values()
			.stream()
			.filter(Allowance.Limited.class::isInstance)
			.map(Allowance.Limited.class::cast)
			.allMatch((plan) -> !rule.algorithm().isBucket() && windows(plan.thresholds().stream()).equals(windows));
	}

	private static Set<Object> windows(Stream<RLThreshold> thresholds) {
		return thresholds.map(RLThreshold::window).collect(Collectors.toSet());
	}

	private boolean mayMeet(RLConfig one, RLConfig other) {
		return PathOverlap.mayMeet(one, other) || this.named.areTogether(one.id(), other.id())
				|| (this.named.isAtHandler(one.id()) && !other.paths().isEmpty())
				|| (this.named.isAtHandler(other.id()) && !one.paths().isEmpty());
	}

}
