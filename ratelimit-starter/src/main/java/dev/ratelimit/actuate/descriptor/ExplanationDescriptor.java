package dev.ratelimit.actuate.descriptor;

import java.util.List;
import java.util.Optional;

import dev.ratelimit.limiter.insight.Explained;
import dev.ratelimit.rule.RLConfig;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * What the rules make of a request that somebody describes.
 *
 * @param enabled whether rules are enforced
 * @param method the method of the request
 * @param path its path within the application
 * @param rules all rules
 */
public record ExplanationDescriptor(boolean enabled, String method, String path,
		List<ExplainedRule> rules) implements OperationResponseBody {

	/**
	 * What one rule makes of it.
	 *
	 * @param rule the id of the rule
	 * @param applies {@code yes}, {@code no}, or {@code unknown} where that takes more
	 * than a description
	 * @param reason why
	 * @param stage on which side of Spring Security it is decided
	 * @param shadow whether it only reports what it would refuse
	 * @param client what the one has used whom it would count; absent where it counts
	 * nobody, or where that cannot be told
	 * @param error why it is not known what that client has used; absent if it is
	 */
	public record ExplainedRule(String rule, String applies, String reason, String stage, boolean shadow,
			@Nullable ClientDescriptor client, @Nullable String error) {

		/**
		 * Describe what becomes of a rule.
		 * @param explained what becomes of it
		 * @param client whom it would count
		 * @param error why it is not known what that client has used
		 * @return the same in the words of the configuration
		 */
		public static ExplainedRule of(Explained explained, Optional<ClientDescriptor> client, Optional<String> error) {
			RLConfig rule = explained.rule();
			return new ExplainedRule(rule.id(), RuleDescriptor.text(explained.applies()), explained.reason(),
					RuleDescriptor.text(rule.stage()), rule.shadow(), client.orElse(null), error.orElse(null));
		}

	}

}
