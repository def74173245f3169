package dev.ratelimit.actuate.descriptor;

import java.util.List;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Algorithm.Option;
import dev.ratelimit.rule.RLThreshold;
import org.jspecify.annotations.Nullable;

/**
 * One window of a rule.
 *
 * @param threshold the number of permits
 * @param window the length, for example {@code 10s}
 * @param burst the capacity of a bucket; absent for other algorithms
 */
public record ThresholdDescriptor(long threshold, String window, @Nullable Long burst) {

	static List<ThresholdDescriptor> of(List<RLThreshold> thresholds, Algorithm algorithm) {
		return thresholds.stream()
			.map((threshold) -> new ThresholdDescriptor(threshold.threshold(), threshold.windowText(),
					algorithm.takes(Option.BURST) ? threshold.burst() : null))
			.toList();
	}

}
