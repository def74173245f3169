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

	private static final String MASK = "******";

	public KeyOverride {
		key = List.copyOf(key);
		if (key.isEmpty() || key.stream().anyMatch(String::isBlank)) {
			throw new InvalidRuleException("overrides", MASK, "has a blank key, which no request has",
					"Write the value that the request has, one for each key source of the rule");
		}
	}

	/**
	 * The customer in the text of an error.
	 * @param sources the key sources of the rule
	 * @return the values; masked if one of them is a credential
	 */
	public String shown(List<KeySource> sources) {
		return sources.stream().anyMatch(KeyOverride::isCredential) ? MASK : String.join(", ", this.key);
	}

	/** A value of such a source could be used by any reader of a log. */
	private static boolean isCredential(KeySource source) {
		return source.kind() == KeySource.Kind.HEADER || source.kind() == KeySource.Kind.COOKIE
				|| source.kind() == KeySource.Kind.QUERY || source.kind() == KeySource.Kind.SESSION;
	}

}
