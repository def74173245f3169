package dev.ratelimit.rule.lint;

import java.util.List;
import java.util.Optional;

import dev.ratelimit.rule.Allowance;
import dev.ratelimit.rule.KeySource;
import dev.ratelimit.rule.Mode;
import dev.ratelimit.rule.OnMissingKey;
import dev.ratelimit.rule.OnStoreFailure;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLThreshold;

/**
 * Finds rules that never refuse, because another rule over the same requests and clients
 * always refuses first. Reports only certain cases.
 */
final class RedundantRules {

	private final Coverage coverage;

	RedundantRules(Coverage coverage) {
		this.coverage = coverage;
	}

	Optional<String> warning(RLConfig rule) {
		return rule.paths()
			.stream()
			.limit(1)
			.flatMap((path) -> this.coverage.covering(path).stream())
			.filter((stricter) -> isRedundant(rule, stricter))
			// Of two equal rules, only one is reported.
			.filter((stricter) -> !isRedundant(stricter, rule) || stricter.id().compareTo(rule.id()) < 0)
			.findFirst()
			.map((stricter) -> ("Rule '%s' refuses nothing on its paths, unless code names it too: rule '%s' "
					+ "(thresholds %s) covers the same requests and clients and always refuses first. Remove it, or "
					+ "make its thresholds stricter.")
				.formatted(rule.id(), stricter.id(), text(stricter.thresholds())));
	}

	/** The cheapest checks that distinguish most rules come first. */
	private boolean isRedundant(RLConfig rule, RLConfig by) {
		return !rule.id().equals(by.id()) && coversClients(by, rule) && isComparable(rule, by)
				&& coversRequests(by, rule) && refusesNothing(rule, by);
	}

	private static boolean refusesNothing(RLConfig rule, RLConfig by) {
		return !blocksSomebody(rule) && rule.limits()
			.values()
			.stream()
			.flatMap(List::stream)
			.allMatch((threshold) -> by.thresholds()
				.stream()
				.anyMatch((stricter) -> PointlessThresholds.neverBites(rule, threshold, stricter)));
	}

	/** Whether both count in the same way, so that their thresholds can be compared. */
	private static boolean isComparable(RLConfig rule, RLConfig by) {
		return rule.algorithm() == by.algorithm() && rule.refill() == by.refill() && rule.rounding() == by.rounding()
				&& rule.cost().equals(by.cost()) && rule.stage() == by.stage() && isStrict(rule) && isStrict(by)
				&& !rule.countRejected() && !rule.shadow();
	}

	private static boolean isStrict(RLConfig rule) {
		return rule.mode().kind() == Mode.ModeKind.STRICT;
	}

	private static boolean blocksSomebody(RLConfig rule) {
		return rule.plans().allowances().containsValue(Allowance.BLOCKED)
				|| rule.overrides().stream().anyMatch((override) -> override.allowance().equals(Allowance.BLOCKED));
	}

	private boolean coversRequests(RLConfig by, RLConfig rule) {
		return Coverage.isAlwaysEnforced(by) && by.plans().key().isEmpty() && by.overrides().isEmpty()
				&& !rule.paths().isEmpty() && Coverage.coversMethods(by, rule)
				&& rule.paths().stream().allMatch((path) -> this.coverage.coversPath(by, path))
				&& (by.onStoreFailure() == rule.onStoreFailure() || by.onStoreFailure() == OnStoreFailure.DENY);
	}

	/**
	 * Whether all requests counted in one bucket of the rule are counted in one bucket of
	 * the other.
	 */
	private static boolean coversClients(RLConfig by, RLConfig rule) {
		if (by.key().equals(rule.key())) {
			return by.onMissingKey() == rule.onMissingKey();
		}
		if (by.key().size() > 1) {
			return false;
		}
		return switch (by.key().get(0).kind()) {
			case GLOBAL -> true;
			case IP -> rule.key().stream().anyMatch((source) -> source.kind() == KeySource.Kind.IP)
					&& rule.onMissingKey() != OnMissingKey.SHARED;
			default -> false;
		};
	}

	private static String text(List<RLThreshold> thresholds) {
		return String.join(", ", thresholds.stream().map(RLThreshold::toString).toList());
	}

}
