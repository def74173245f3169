package dev.ratelimit.rule;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The allowance of each plan, and how the plan of a request is found. A request without a
 * plan, or with an unlisted one, gets the thresholds of the rule.
 *
 * @param key the source of a request's plan; empty if there are no plans
 * @param allowances the allowance of a plan, by its name
 */
public record Plans(Optional<KeySource> key, Map<String, Allowance> allowances) {

	/** No plans: the same for all clients. */
	public static final Plans NONE = new Plans(Optional.empty(), Map.of());

	private static final String KEY_CURE = "Name one place where the plan of a request stands: principal, session, "
			+ "claim:NAME, header:NAME, cookie:NAME, query:NAME, path:VARIABLE or bean:NAME";

	public Plans {
		allowances = Collections.unmodifiableMap(new LinkedHashMap<>(allowances));
		key.ifPresent(Plans::requireKey);
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
	 * Create plans that are found by a key source of the request.
	 * @param key the source of a request's plan, for example {@code header:X-Plan}
	 * @param allowances the allowance of a plan, by its name
	 * @return the plans
	 * @throws InvalidRuleException if the key cannot provide a plan, or a name is not
	 * allowed
	 */
	public static Plans by(String key, Map<String, Allowance> allowances) {
		return new Plans(Optional.of(key(key)), allowances);
	}

	/**
	 * A source whose value every request has, or no request has, cannot provide a plan.
	 */
	private static void requireKey(KeySource key) {
		if (key.isAnonymous() || key.kind() == KeySource.Kind.ARG) {
			throw new InvalidRuleException("plan-key", key.toString(), "names no plan",
					KEY_CURE + "; single addresses go to overrides");
		}
	}

	/**
	 * Read the source of a request's plan.
	 * @param text for example {@code header:X-Plan} or {@code bean:planOfRequest}
	 * @return the key source
	 * @throws InvalidRuleException if it is not such a source
	 */
	public static KeySource key(String text) {
		try {
			KeySource key = KeySource.valueOf(text);
			requireKey(key);
			return key;
		}
		catch (InvalidRuleException ex) {
			throw new InvalidRuleException("plan-key", text, ex.reason(), KEY_CURE);
		}
	}

	/**
	 * Check the name of a plan.
	 * @param name the name
	 * @throws InvalidRuleException if it does not have the allowed form
	 */
	public static void requireName(String name) {
		if (name.equals("true") || name.equals("false")) {
			throw new InvalidRuleException("plans", name, "is what YAML makes of on, off, yes and no",
					"Quote the name of the plan, or choose another one");
		}
		if (name.equals("0")) {
			throw new InvalidRuleException("plans", name, "is the first element of a list, but plans have names",
					"Write plans: {free: 200/1m, paid: 10000/1m}");
		}
		if (!RuleConstraints.isName(name)) {
			throw new InvalidRuleException("plans", name, "is not the name of a plan",
					"Use 1 to 64 lower-case letters, digits and dashes, not starting with a dash");
		}
	}

}
