package dev.ratelimit.actuate.descriptor;

import java.util.List;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * What the endpoint shows.
 *
 * @param enabled whether rules are enforced
 * @param store where requests are counted
 * @param sources where rules are read, beside annotations; a rule is taken whole from the
 * first that has it
 * @param rules the rules
 */
public record RulesDescriptor(boolean enabled, String store, List<SourceDescriptor> sources,
		List<RuleDescriptor> rules) implements OperationResponseBody {
}
