package dev.ratelimit.rule;

import java.util.List;

/**
 * What one customer gets instead of what the rule says.
 *
 * @param key who: one value per key source of the rule; for {@code ip} an address or a
 * CIDR range
 * @param allowance what he gets
 */
public record KeyOverride(List<String> key, Allowance allowance) {

	public KeyOverride {
		key = List.copyOf(key);
	}

}
