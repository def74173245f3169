package dev.ratelimit.actuate.descriptor;

import java.util.List;

import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.live.RuleLayer;
import org.jspecify.annotations.Nullable;

/**
 * A source of rules.
 *
 * @param source the kind of the source
 * @param description which source it is
 * @param rules the ids of its last valid rules
 * @param failure the reason why its current content is not in force; absent if it is
 */
public record SourceDescriptor(String source, String description, List<String> rules, @Nullable String failure) {

	/**
	 * Describe a source of rules.
	 * @param layer the source
	 * @return the descriptor
	 */
	public static SourceDescriptor of(RuleLayer layer) {
		return new SourceDescriptor(layer.origin().text(), layer.description(),
				layer.rules().rules().stream().map(RLConfig::id).toList(), layer.failure().orElse(null));
	}

}
