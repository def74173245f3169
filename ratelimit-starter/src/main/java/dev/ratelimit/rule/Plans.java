package dev.ratelimit.rule;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What each plan gets, and how the plan of a request is found. A request without a plan,
 * or with one that is not listed, gets the thresholds of the rule.
 *
 * @param key tells the plan of a request; empty where there are no plans
 * @param allowances what a plan gets, by its name
 */
public record Plans(Optional<KeySource> key, Map<String, Allowance> allowances) {

	/** The same for everybody. */
	public static final Plans NONE = new Plans(Optional.empty(), Map.of());

	private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,63}");

	public Plans {
		allowances = Collections.unmodifiableMap(new LinkedHashMap<>(allowances));
		if (key.isPresent() && allowances.isEmpty()) {
			throw new InvalidRuleException("plan-key", key.get().toString(), "has no effect without plans",
					"List what each plan gets under plans, or remove plan-key");
		}
		if (key.isEmpty() && !allowances.isEmpty()) {
			throw new InvalidRuleException("plans", String.join(", ", allowances.keySet()),
					"has no effect without plan-key", "Say by plan-key where the plan of a request is found");
		}
		allowances.keySet().forEach(Plans::requireName);
	}

	/**
	 * Check the name of a plan.
	 * @param name the name
	 * @throws InvalidRuleException if it is not of the allowed form
	 */
	public static void requireName(String name) {
		if (!NAME.matcher(name).matches()) {
			throw new InvalidRuleException("plans", name, "is not the name of a plan",
					"Use 1 to 64 lower-case letters, digits and dashes, not starting with a dash");
		}
	}

}
