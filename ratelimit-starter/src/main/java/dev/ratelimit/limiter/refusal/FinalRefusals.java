package dev.ratelimit.limiter.refusal;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.ratelimit.rule.Counting;
import dev.ratelimit.rule.Enforcement;
import dev.ratelimit.rule.Mode;
import dev.ratelimit.rule.OnLimit;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLThreshold;
import dev.ratelimit.rule.RLWindow;
import dev.ratelimit.rule.RuleScope;
import dev.ratelimit.rule.RuleSet;

/**
 * Determines which rules have final refusals: whatever other requests do, the store
 * admits none before the wait that it reported is over. Only a reset, or a late reply
 * that is undone, ends it earlier. The conditions are:
 * <ul>
 * <li>Refusals do not prolong the wait ({@code count-rejected}), no request waits for a
 * turn, which it may abandon, and the rule is not in shadow. A rule in shadow has to
 * report what the store returns. Calls that code makes may wait for turns of any rule:
 * the reply of the store shows that.</li>
 * <li>No permit is released. The store admits requests one by one ({@code mode: strict}),
 * and all outcomes count. No other rule that is in force may apply to the same request,
 * because the rule that refuses releases what the other one acquired. Two rules may apply
 * to the same request if their methods and paths overlap, if one is named at a handler
 * and the other has paths, or if code names both together.</li>
 * <li>No other plan of the same subject changes what was counted, by other windows or by
 * the rate at which a bucket flows.</li>
 * <li>No other data centre shares the limit ({@code scope: everywhere}), because what it
 * acknowledges may end a refusal.</li>
 * </ul>
 * Holds for all instances with the same rules. In case of doubt a refusal is not final,
 * except that a method which no rule lists and no registry knows is left out: rules of
 * any methods cover it, but no client in good faith sends it. The rules are indexed once,
 * and a rule is not compared with each other one.
 */
public final class FinalRefusals {

	/** The ids of the rules that may release permits of others. */
	private final Set<String> refusing = new HashSet<>();

	private final Set<String> refusingWithPaths = new HashSet<>();

	private final Set<String> refusingAtHandlers = new HashSet<>();

	private final PathOverlap paths;

	private final Set<String> atHandlers = new HashSet<>();

	/** The ids that code names together with an id. */
	private final Map<String, Set<String>> together = new HashMap<>();

	/**
	 * Create an instance for a rule set.
	 * @param rules all rules
	 * @param named the rules that application code names
	 */
	public FinalRefusals(RuleSet rules, NamedRules named) {
		named.atHandlers().forEach(this.atHandlers::addAll);
		Stream.of(named.atHandlers(), named.atMethods())
			.flatMap(List::stream)
			.forEach((ids) -> ids
				.forEach((id) -> this.together.computeIfAbsent(id, (first) -> new HashSet<>()).addAll(ids)));
		List<RLConfig> others = rules.enabled().stream().filter((rule) -> !rule.enforcement().shadow()).toList();
		for (RLConfig other : others) {
			this.refusing.add(other.id());
			if (!other.requests().paths().isEmpty()) {
				this.refusingWithPaths.add(other.id());
			}
			if (this.atHandlers.contains(other.id())) {
				this.refusingAtHandlers.add(other.id());
			}
		}
		this.paths = new PathOverlap(others);
	}

	/**
	 * Whether the refusals of a rule are final.
	 * @param rule one of the rules
	 * @return whether they are
	 */
	public boolean areFinalFor(RLConfig rule) {
		Counting counting = rule.counting();
		Enforcement enforcement = rule.enforcement();
		return !counting.countRejected() && enforcement.onLimit().kind() == OnLimit.OnLimitKind.REJECT
				&& !enforcement.shadow() && counting.countOn().isAlways()
				&& counting.mode().kind() == Mode.ModeKind.STRICT
				&& counting.scope().kind() == RuleScope.ScopeKind.DATACENTER && plansShareTheirCounts(rule)
				&& !mayMeetAnother(rule);
	}

	private static boolean plansShareTheirCounts(RLConfig rule) {
		List<List<RLThreshold>> plans = rule.allowances().thresholdsOfPlans();
		return plans.size() == 1 || (!rule.counting().algorithm().isBucket()
				&& plans.stream().map(FinalRefusals::windows).distinct().count() == 1);
	}

	private static Set<RLWindow> windows(List<RLThreshold> thresholds) {
		return thresholds.stream().map(RLThreshold::window).collect(Collectors.toSet());
	}

	private boolean mayMeetAnother(RLConfig rule) {
		String id = rule.id();
		return this.paths.meetsAnother(rule)
				|| this.together.getOrDefault(id, Set.of())
					.stream()
					.anyMatch((other) -> !other.equals(id) && this.refusing.contains(other))
				|| (this.atHandlers.contains(id) && hasAnother(this.refusingWithPaths, id))
				|| (!rule.requests().paths().isEmpty() && hasAnother(this.refusingAtHandlers, id));
	}

	private static boolean hasAnother(Set<String> ids, String id) {
		return ids.size() > (ids.contains(id) ? 1 : 0);
	}

}
