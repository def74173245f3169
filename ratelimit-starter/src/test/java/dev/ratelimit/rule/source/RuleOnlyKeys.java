package dev.ratelimit.rule.source;

import java.util.List;
import java.util.Map;
import java.util.Objects;

import dev.ratelimit.rule.RuleKey;
import dev.ratelimit.rule.source.ReferencePage.Property;

/**
 * The keys that only a rule or a client has. Metadata cannot describe keys below a name
 * that the user chooses.
 */
final class RuleOnlyKeys {

	private static final String ALLOWANCE_FORMS = "thresholds, `unlimited` or `blocked`";

	private static final Map<String, Property> CLIENT_KEYS = Map.of("clients.rule", new Property("a text", "required",
			"Id of the rule, which must give turns: algorithm sliding-window-log, mode strict, count-rejected false."),
			"clients.hosts",
			new Property("a text or a list of texts", "required",
					"Hosts that are called. `*.example.com` is every host below example.com."),
			"clients.key",
			new Property("`host`, `header:NAME`, or a text that is the same for all calls", "host",
					"What calls are counted by, unless the rule has key: global."),
			"clients.max-wait",
			new Property("a duration, such as `500ms`", "2s", "Longest time a call waits for its turn, 0s to 1d."));

	/** The values and the default of each. */
	private static final Map<String, List<String>> RULE_KEYS = Map.of("methods",
			List.of("a text or a list of texts", "every method"), "paths", List.of("a text or a list of texts", ""),
			"thresholds", List.of("`<threshold>/<window>`, or a list of these and of the long form", "required"),
			"plans", List.of("a map of names to " + ALLOWANCE_FORMS, ""), "overrides", List.of("a list", ""));

	private static final Map<String, Property> KEYS = Map.of("thresholds.threshold",
			new Property("a whole number, 1 to 999999999999999", "required", "Number of permits in a window."),
			"thresholds.window",
			new Property("`500ms`, `2s`, `1m`, `24h`, `1d`, up to 400 days; or a unit alone, such as `minute`",
					"required", "Length of the window."),
			"thresholds.burst",
			new Property("a whole number", "the threshold", "Capacity of a bucket, for token-bucket and leaky-bucket."),
			"overrides.key",
			new Property("a text; for a key of several sources a list of texts", "required",
					"Customer as the key of the rule finds it. For ip an address or a CIDR range."),
			"overrides.thresholds", new Property(ALLOWANCE_FORMS, "required", "What this customer gets."));

	private RuleOnlyKeys() {
	}

	static Property of(RuleKey<?> key) {
		List<String> forms = Objects.requireNonNull(RULE_KEYS.get(key.name()),
				() -> "Describe the values of " + key.name() + " in RuleOnlyKeys");
		return new Property(forms.get(0), forms.get(1), key.meaning());
	}

	static Property of(String key) {
		return Objects.requireNonNull(KEYS.getOrDefault(key, CLIENT_KEYS.get(key)),
				() -> "Describe " + key + " in RuleOnlyKeys");
	}

}
