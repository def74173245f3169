package dev.ratelimit.actuate.descriptor;

import java.util.List;

import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.live.RuleLayer;
import org.jspecify.annotations.Nullable;

/**
 * A place where rules are read.
 *
 * @param source what kind of place it is
 * @param description which place it is
 * @param rules the ids of its last good rules
 * @param failure why what stands there now is not in force; absent if it is
 */
public record SourceDescriptor(String source, String description, List<String> rules, @Nullable String failure) {

	/**
	 * Describe a place.
	 * @param layer the place
	 * @return what it has
	 */
	public static SourceDescriptor of(RuleLayer layer) {
		return new SourceDescriptor(layer.origin().text(), layer.description(),
				layer.rules().rules().stream().map(RLConfig::id).toList(), layer.failure().orElse(null));
	}

}
