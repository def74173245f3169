package dev.ratelimit.actuate.descriptor;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * One rule, and the data that this instance has collected about it.
 *
 * @param rule the rule with all its settings
 * @param source the source of the rule; absent if that is an annotation
 * @param totals the number of its decisions on this instance since its start, by outcome
 * @param since the time since which the following data was collected: the start, or the
 * last change of the rule; absent, like that data, if the rule is disabled
 * @param heaviestClients the clients with the most requests, the heaviest first
 * @param queue the requests that a module handles later; absent unless the rule has such
 */
public record RuleInForceDescriptor(Map<String, Object> rule, @Nullable String source, Map<String, Long> totals,
		@Nullable Instant since, @Nullable List<HeavyClientDescriptor> heaviestClients,
		@Nullable Object queue) implements OperationResponseBody {
}
