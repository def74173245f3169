package dev.ratelimit.actuate.descriptor;

import java.util.List;
import java.util.Optional;

import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.web.Explained;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * How the rules apply to a described request.
 *
 * @param enabled whether rules are enforced
 * @param method the method of the request
 * @param path its path within the application
 * @param rules all rules
 */
public record ExplanationDescriptor(boolean enabled, String method, String path,
		List<ExplainedRule> rules) implements OperationResponseBody {

	/**
	 * How one rule applies to the request.
	 *
	 * @param rule the id of the rule
	 * @param applies {@code yes}, {@code no}, or {@code unknown} if a description does
	 * not suffice to decide it
	 * @param reason the reason
	 * @param stage the side of Spring Security on which it is decided
	 * @param shadow whether it only reports what it would refuse
	 * @param client the usage of the client that it would count; absent if it counts no
	 * client, or if the client cannot be determined
	 * @param error the reason why the usage of that client is unknown; absent if it is
	 * known
	 */
	public record ExplainedRule(String rule, String applies, String reason, String stage, boolean shadow,
			@Nullable ClientDescriptor client, @Nullable String error) {

		/**
		 * Describe how a rule applies.
		 * @param explained how it applies
		 * @param client the client that it would count
		 * @param error the reason why the usage of that client is unknown
		 * @return the same, with the names of the configuration
		 */
		public static ExplainedRule of(Explained explained, Optional<ClientDescriptor> client, Optional<String> error) {
			RLConfig rule = explained.rule();
			return new ExplainedRule(rule.id(), RuleDescriptor.text(explained.applies()), explained.reason(),
					RuleDescriptor.text(rule.requests().stage()), rule.enforcement().shadow(), client.orElse(null),
					error.orElse(null));
		}

	}

}
