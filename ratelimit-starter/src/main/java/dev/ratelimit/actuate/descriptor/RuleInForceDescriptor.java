package dev.ratelimit.actuate.descriptor;

import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * One rule, and what this instance has seen of it.
 *
 * @param rule the rule with every setting that applies
 * @param source the place it is taken from; absent if that is an annotation
 * @param totals what came of its decisions on this instance since its start, by outcome
 */
public record RuleInForceDescriptor(RuleDescriptor rule, @Nullable String source,
		Map<String, Long> totals) implements OperationResponseBody {
}
