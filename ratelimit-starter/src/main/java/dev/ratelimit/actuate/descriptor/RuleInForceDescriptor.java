package dev.ratelimit.actuate.descriptor;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * One rule, and what this instance has seen of it.
 *
 * @param rule the rule with every setting that applies
 * @param source the place it is taken from; absent if that is an annotation
 * @param totals what came of its decisions on this instance since its start, by outcome
 * @param since since when the rest was seen: the start, or the last change of the rule;
 * absent, with all of it, where the rule is disabled
 * @param heaviestClients the clients that asked most, the heaviest first
 * @param evidence whether its thresholds are right
 * @param queue what it keeps for later; absent unless it does
 */
public record RuleInForceDescriptor(RuleDescriptor rule, @Nullable String source, Map<String, Long> totals,
		@Nullable Instant since, @Nullable List<HeavyClientDescriptor> heaviestClients,
		@Nullable EvidenceDescriptor evidence, @Nullable QueueDescriptor queue) implements OperationResponseBody {
}
