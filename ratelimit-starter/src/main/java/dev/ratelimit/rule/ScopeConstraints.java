package dev.ratelimit.rule;

/**
 * The constraints of a scope on its rule.
 */
final class ScopeConstraints {

	private ScopeConstraints() {
	}

	static void require(RuleScope scope, Algorithm algorithm, Mode mode, CountOn countOn) {
		if (scope.kind() == RuleScope.ScopeKind.DATACENTER) {
			return;
		}
		if (algorithm != Algorithm.FIXED_WINDOW) {
			throw invalid("algorithm " + algorithm.text(),
					"Use algorithm fixed-window, whose windows have numbers that "
							+ "all data centres know, or scope datacenter");
		}
		if (mode.kind() != Mode.ModeKind.STRICT) {
			throw invalid("mode " + mode.kind().text(), "Use mode strict, or scope datacenter");
		}
		if (!countOn.isAlways()) {
			throw invalid("count-on " + countOn, "Remove count-on, or use scope datacenter");
		}
	}

	private static InvalidRuleException invalid(String other, String cure) {
		return new InvalidRuleException("scope", "everywhere", "does not go with " + other, cure);
	}

}
