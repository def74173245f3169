package dev.ratelimit.actuate.descriptor;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Algorithm.Option;
import dev.ratelimit.rule.Allowance;
import dev.ratelimit.rule.KeyOverride;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLThreshold;
import dev.ratelimit.rule.RuleCatalogue;
import dev.ratelimit.rule.RuleOption;

/**
 * Describes a rule with the names of the configuration, in camel case. A key that does
 * not apply to the rule is absent. The keys of overrides are left out, even as hashes,
 * because the values may be guessed.
 */
public final class RuleDescriptor {

	private static final Pattern DASH = Pattern.compile("-(.)");

	private RuleDescriptor() {
	}

	/**
	 * Describe a rule.
	 * @param rule the rule
	 * @param matched the requests that rules have matched by their paths, by rule
	 * @return all its settings, including those left at their default, and the requests
	 * that it has matched
	 */
	public static Map<String, Object> of(RLConfig rule, Map<String, Long> matched) {
		Map<String, Object> all = new LinkedHashMap<>();
		all.put("id", rule.id());
		Map<String, Map<String, Object>> groups = new LinkedHashMap<>();
		for (RuleOption key : RuleCatalogue.optionsOf(rule)) {
			key.shown(rule).ifPresent((value) -> {
				int dot = key.text().indexOf('.');
				Map<String, Object> map = all;
				if (dot > 0) {
					String group = key.text().substring(0, dot);
					map = groups.computeIfAbsent(group, (name) -> new LinkedHashMap<>());
					all.put(group, map);
				}
				map.put(camelCase(key.text().substring(dot + 1)), json(value, rule.counting().algorithm()));
			});
		}
		if (matched.containsKey(rule.id())) {
			all.put("matched", matched.get(rule.id()));
		}
		return all;
	}

	private static String camelCase(String name) {
		return DASH.matcher(name).replaceAll((match) -> match.group(1).toUpperCase(Locale.ROOT));
	}

	private static Object json(Object value, Algorithm algorithm) {
		if (value instanceof Boolean || value instanceof Number) {
			return value;
		}
		if (value instanceof RLThreshold threshold) {
			return threshold(threshold, algorithm);
		}
		if (value instanceof KeyOverride override) {
			return json(override.allowance(), algorithm);
		}
		if (value instanceof Allowance allowance) {
			return allowance(allowance, algorithm);
		}
		if (value instanceof Collection<?> elements) {
			return elements.stream().map((element) -> json(element, algorithm)).toList();
		}
		if (value instanceof Map<?, ?> entries) {
			Map<String, Object> described = new LinkedHashMap<>();
			entries.forEach((name, entry) -> described.put(name.toString(), json(entry, algorithm)));
			return described;
		}
		return value.toString();
	}

	private static Map<String, Object> threshold(RLThreshold threshold, Algorithm algorithm) {
		Map<String, Object> described = new LinkedHashMap<>();
		described.put("threshold", threshold.threshold());
		described.put("window", threshold.window().toString());
		if (algorithm.takes(Option.BURST)) {
			described.put("burst", threshold.burst());
		}
		return described;
	}

	private static Map<String, Object> allowance(Allowance allowance, Algorithm algorithm) {
		Map<String, Object> described = new LinkedHashMap<>();
		described.put("allowance", (allowance instanceof Allowance.Limited) ? "limited" : allowance.toString());
		if (allowance instanceof Allowance.Limited limited) {
			described.put("thresholds", json(limited.thresholds(), algorithm));
		}
		return described;
	}

	static String text(Enum<?> value) {
		return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

}
