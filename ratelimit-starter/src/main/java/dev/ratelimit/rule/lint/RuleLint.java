package dev.ratelimit.rule.lint;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.ratelimit.rule.KeySource;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLThreshold;
import dev.ratelimit.rule.RLWindow;
import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.rule.RuleWarning;

import org.springframework.util.unit.DataSize;

/**
 * Finds settings that are allowed but pointless, expensive or dangerous.
 */
public final class RuleLint {

	/** A key stores these besides the windows in which a request is counted. */
	private static final int WINDOWS_OF_OTHER_PLANS = 8;

	private RuleLint() {
	}

	/**
	 * Check all rules.
	 * @param rules the rules
	 * @param logMemory the memory that one key of a log may use without a warning
	 * @return the warnings to log, a sentence or two each
	 */
	public static List<String> warnings(RuleSet rules, DataSize logMemory) {
		return warnings(rules, logMemory, true, (rule, name) -> List.of());
	}

	/**
	 * Check all rules.
	 * @param rules the rules
	 * @param logMemory the memory that one key of a log may use without a warning
	 * @param secured whether Spring Security authenticates requests
	 * @param ofModules finds the warnings of modules
	 * @return the warnings to log, a sentence or two each
	 */
	public static List<String> warnings(RuleSet rules, DataSize logMemory, boolean secured,
			BiFunction<RLConfig, RuleWarning, List<String>> ofModules) {
		List<RLConfig> enabled = rules.enabled();
		if (enabled.isEmpty()) {
			return List.of(rules.rules().isEmpty()
					? "There are no rate limit rules, so nothing is limited. Add some under ratelimit.rules."
					: "All rate limit rules are disabled, so nothing is limited.");
		}
		List<String> warnings = new ArrayList<>();
		for (RLConfig rule : enabled) {
			for (RuleWarning name : RuleWarning.values()) {
				if (!rule.acknowledge().contains(name)) {
					check(name, rule, logMemory).forEach(warnings::add);
					warnings.addAll(ofModules.apply(rule, name));
				}
			}
		}
		if (!secured) {
			unauthenticated(concerned(enabled, RuleWarning.NO_AUTHENTICATION)).ifPresent(warnings::add);
		}
		Coverage coverage = new Coverage(enabled);
		together(
				concerned(enabled, RuleWarning.CLIENT_CHOSEN_KEY).stream()
					.filter((rule) -> countsBy(rule, RuleLint::isUpToClients) && !hasOuterRule(rule, coverage))
					.toList(),
				"which clients choose freely: a client that changes it starts anew. Add a rule over the same "
						+ "paths that counts by ip, principal or global.")
			.ifPresent(warnings::add);
		together(
				concerned(enabled, RuleWarning.CLIENT_HELD_PERMITS).stream()
					.filter((rule) -> countsBy(rule, KeySource::isClientChosen)
							&& !rule.counting().countOn().isAlways())
					.toList(),
				"which clients choose freely, and what counts is an outcome (count-on): a request in flight holds a "
						+ "permit, so a client that names another one's key and sends its requests slowly takes that "
						+ "one's permits. Add ip or principal to the key.")
			.ifPresent(warnings::add);
		return warnings;
	}

	private static Stream<String> check(RuleWarning name, RLConfig rule, DataSize logMemory) {
		return switch (name) {
			case POINTLESS_THRESHOLD -> PointlessThresholds.warnings(rule).stream();
			case LOG_MEMORY -> LogMemory.warning(rule, logMemory).stream();
			case CLIENT_CHOSEN_PLAN -> clientChosenPlan(rule).stream();
			case PLAN_WINDOWS -> planWindows(rule).stream();
			case FAIL_OPEN_LOGIN -> FailOpenLoginCheck.warning(rule).stream();
			// These are about several rules, or of modules.
			default -> Stream.empty();
		};
	}

	/** The rules whose owners have not read a warning. */
	private static List<RLConfig> concerned(List<RLConfig> rules, RuleWarning warning) {
		return rules.stream().filter((rule) -> !rule.acknowledge().contains(warning)).toList();
	}

	private static Optional<String> clientChosenPlan(RLConfig rule) {
		return rule.allowances()
			.plans()
			.key()
			.filter(KeySource::isClientChosen)
			.map((key) -> "Rule '%s' takes the plan from %s, which clients choose freely: anybody can claim any plan. Take it from principal, session or bean:NAME, or make sure that a gateway sets it on every request."
				.formatted(rule.id(), key));
	}

	private static Optional<String> planWindows(RLConfig rule) {
		List<Set<RLWindow>> allowances = rule.allowances().thresholdsOfPlans().stream().map(RuleLint::windows).toList();
		Set<RLWindow> all = new HashSet<>();
		allowances.forEach(all::addAll);
		return allowances.stream().allMatch((windows) -> all.size() - windows.size() <= WINDOWS_OF_OTHER_PLANS)
				? Optional.empty()
				: Optional
					.of(("Rule '%s' and its plans have %d different windows. A key keeps what was used in at most "
							+ "%d windows beside those of the plan that it comes with: a client with many plans may get more "
							+ "than they allow. Give the plans the same windows.")
						.formatted(rule.id(), all.size(), WINDOWS_OF_OTHER_PLANS));
	}

	private static Set<RLWindow> windows(List<RLThreshold> thresholds) {
		return thresholds.stream().map(RLThreshold::window).collect(Collectors.toSet());
	}

	/** One warning for all rules with the same finding. */
	private static Optional<String> together(List<RLConfig> rules, String what) {
		if (rules.isEmpty()) {
			return Optional.empty();
		}
		if (rules.size() == 1) {
			return Optional.of("Rule '%s' counts by %s, %s".formatted(rules.get(0).id(),
					names(rules.get(0).key().sources()), what));
		}
		return Optional.of("Rules %s each count by what stands in brackets, %s".formatted(rules.stream()
			.map((rule) -> "'" + rule.id() + "' (" + names(rule.key().sources()) + ")")
			.collect(Collectors.joining(", ")), what));
	}

	private static Optional<String> unauthenticated(List<RLConfig> rules) {
		String named = rules.stream()
			.filter((rule) -> Stream.concat(rule.key().sources().stream(), rule.allowances().plans().key().stream())
				.anyMatch((source) -> source.kind() == KeySource.Kind.PRINCIPAL))
			.map((rule) -> "'" + rule.id() + "'")
			.collect(Collectors.joining(", "));
		return named.isEmpty() ? Optional.empty() : Optional
			.of(("Rules that count by principal, or take the plan from it: %s. Spring Security does not protect this "
					+ "application, so that no request has a principal unless a filter or the container authenticates "
					+ "it, and on-missing-key holds for all. Add spring-boot-starter-security, or count by something "
					+ "else.")
				.formatted(named));
	}

	private static boolean countsBy(RLConfig rule, Predicate<KeySource> sources) {
		return !rule.requests().paths().isEmpty() && rule.key().sources().stream().allMatch(sources);
	}

	/** A client without the cookie of its session gets another one. */
	private static boolean isUpToClients(KeySource source) {
		return source.isClientChosen() || source.kind() == KeySource.Kind.SESSION;
	}

	private static boolean hasOuterRule(RLConfig rule, Coverage coverage) {
		return rule.requests()
			.paths()
			.stream()
			.allMatch((path) -> coverage.covering(path)
				.anyMatch((outer) -> Coverage.isAlwaysEnforced(outer)
						&& outer.key().sources().stream().noneMatch(RuleLint::isUpToClients)
						&& Coverage.coversMethods(outer, rule)));
	}

	private static String names(List<KeySource> key) {
		return String.join(", ", key.stream().map(KeySource::toString).toList());
	}

}
