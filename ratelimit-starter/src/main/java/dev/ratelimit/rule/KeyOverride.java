package dev.ratelimit.rule;

import java.util.List;

/**
 * What one customer is allowed instead of the rule's thresholds.
 *
 * @param key the customer: one value per key source of the rule; for {@code ip} an
 * address or a CIDR range
 * @param allowance what this customer is allowed
 */
public record KeyOverride(List<String> key, Allowance allowance) {

	public KeyOverride {
		key = List.copyOf(key);
		if (key.isEmpty() || key.stream().anyMatch(String::isBlank)) {
			throw new InvalidRuleException("overrides", String.join(", ", key), "has a blank key, which no request has",
					"Write the value that the request has, one for each key source of the rule");
		}
	}

}
