package dev.ratelimit.actuate.descriptor;

import java.util.List;
import java.util.Map;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The response of the endpoint.
 *
 * @param enabled whether rules are enforced
 * @param store where requests are counted
 * @param sources the sources of rules besides annotations; a rule is taken as a whole
 * from the first source that has it
 * @param rules the rules
 * @param totals the number of decisions on this instance since its start, by rule and
 * outcome
 */
public record RulesDescriptor(boolean enabled, String store, List<SourceDescriptor> sources,
		List<Map<String, Object>> rules, Map<String, Map<String, Long>> totals) implements OperationResponseBody {
}
