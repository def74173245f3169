package dev.ratelimit.method;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

import dev.ratelimit.limiter.RuleApplication;
import dev.ratelimit.limiter.RuleApplicationFacts;
import dev.ratelimit.limiter.CompiledRule;
import dev.ratelimit.limiter.RuleRequest;
import dev.ratelimit.limiter.SubjectEncoder;
import org.jspecify.annotations.Nullable;

/**
 * One rule that guards one method.
 *
 * @param rule the rule
 * @param condition decides whether the rule applies to a call
 * @param key computes the key of a call, one part per key source of the rule
 * @param address provides the client's address, used if the key is missing
 * @param cost computes the number of permits a call costs
 * @param fallback the fallback for refused calls, if there is one
 * @param maxWait the longest time a call waits for its turn; empty if it does not wait
 * @param subjects encodes keys
 */
record MethodRule(CompiledRule rule, Predicate<@Nullable Object[]> condition,
		List<ArgumentFunction<Optional<String>>> key, ArgumentFunction<Optional<String>> address,
		ToLongFunction<@Nullable Object[]> cost, Optional<FallbackMethod> fallback, Optional<Duration> maxWait,
		SubjectEncoder subjects) {

	MethodRule {
		key = List.copyOf(key);
	}

	/**
	 * Apply the rule to a call.
	 * @param arguments the arguments
	 * @return the request to the rule, or the action if the key is missing
	 */
	RuleApplication apply(@Nullable Object[] arguments) {
		return RuleApplication.of(this.rule, new MethodCall(arguments), this.subjects);
	}

	/** The facts of a call; it has no plan. */
	private final class MethodCall implements RuleApplicationFacts {

		private final @Nullable Object[] arguments;

		MethodCall(@Nullable Object[] arguments) {
			this.arguments = arguments;
		}

		@Override
		public boolean meetsCondition() {
			return MethodRule.this.condition.test(this.arguments);
		}

		@Override
		public Optional<List<String>> key() {
			List<String> values = new ArrayList<>(MethodRule.this.key.size());
			for (ArgumentFunction<Optional<String>> part : MethodRule.this.key) {
				part.of(this.arguments).ifPresent(values::add);
			}
			return (values.size() == MethodRule.this.key.size()) ? Optional.of(values) : Optional.empty();
		}

		@Override
		public Optional<String> plan() {
			return Optional.empty();
		}

		@Override
		public long cost() {
			return Math.max(1, MethodRule.this.cost.applyAsLong(this.arguments));
		}

		@Override
		public Optional<String> address() {
			return MethodRule.this.address.of(this.arguments);
		}

		@Override
		public RuleRequest withTurn(RuleRequest ruleRequest) {
			return MethodRule.this.maxWait.map(ruleRequest::waiting).orElse(ruleRequest);
		}

	}

}
