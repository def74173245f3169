package dev.ratelimit.actuate.descriptor;

import java.util.List;
import java.util.Map;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * What the endpoint shows.
 *
 * @param enabled whether rules are enforced
 * @param store where requests are counted
 * @param sources where rules are read, beside annotations; a rule is taken whole from the
 * first that has it
 * @param rules the rules
 * @param totals by rule, what came of its decisions on this instance since its start, by
 * outcome
 */
public record RulesDescriptor(boolean enabled, String store, List<SourceDescriptor> sources, List<RuleDescriptor> rules,
		Map<String, Map<String, Long>> totals) implements OperationResponseBody {
}
