package dev.ratelimit.actuate.descriptor;

import java.util.List;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Allowance;
import org.jspecify.annotations.Nullable;

/**
 * What a plan or an override allows instead of the thresholds of the rule.
 *
 * @param allowance {@code limited}, {@code unlimited} or {@code blocked}
 * @param thresholds the windows of a limited one; absent for the others
 */
public record AllowanceDescriptor(String allowance, @Nullable List<ThresholdDescriptor> thresholds) {

	static AllowanceDescriptor of(Allowance allowance, Algorithm algorithm) {
		return (allowance instanceof Allowance.Limited limited)
				? new AllowanceDescriptor("limited", ThresholdDescriptor.of(limited.thresholds(), algorithm))
				: new AllowanceDescriptor(allowance.toString(), null);
	}

}
