package dev.ratelimit.actuate.descriptor;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * One rule, and what this instance has seen of it.
 *
 * @param rule the rule with every setting that applies
 * @param source the place it is taken from; absent if that is an annotation
 */
public record RuleInForceDescriptor(RuleDescriptor rule, @Nullable String source) implements OperationResponseBody {
}
