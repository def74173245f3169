package dev.ratelimit.method;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

import dev.ratelimit.limiter.Application;
import dev.ratelimit.limiter.CompiledRule;
import dev.ratelimit.limiter.RuleRequest;
import dev.ratelimit.limiter.SubjectEncoder;
import dev.ratelimit.rule.OnMissingKey;
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
record MethodRule(CompiledRule rule, Predicate<@Nullable Object[]> condition, List<KeyPart> key, KeyPart address,
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
	Application apply(@Nullable Object[] arguments) {
		if (!this.condition.test(arguments)) {
			return Application.SKIPS;
		}
		List<String> values = new ArrayList<>(this.key.size());
		for (KeyPart part : this.key) {
			part.of(arguments).ifPresent(values::add);
		}
		OnMissingKey onMissingKey = this.rule.config().onMissingKey();
		if (values.size() == this.key.size()) {
			return counts(this.subjects.byKey(this.rule, values, Optional.empty(), cost(arguments)));
		}
		if (onMissingKey == OnMissingKey.DENY || onMissingKey == OnMissingKey.SKIP) {
			return (onMissingKey == OnMissingKey.DENY) ? Application.DENIES : Application.SKIPS;
		}
		Optional<String> client = (onMissingKey == OnMissingKey.IP) ? this.address.of(arguments) : Optional.empty();
		return counts(client.map((ip) -> this.subjects.byAddress(this.rule, ip, Optional.empty(), cost(arguments)))
			.orElseGet(() -> this.subjects.keyless(this.rule, Optional.empty(), cost(arguments))));
	}

	private Application counts(RuleRequest ruleRequest) {
		return new Application.Counts(this.maxWait.map(ruleRequest::waiting).orElse(ruleRequest), List.of(),
				Optional.empty());
	}

	private long cost(@Nullable Object[] arguments) {
		return Math.max(1, this.cost.applyAsLong(arguments));
	}

	/** A part of a key. */
	@FunctionalInterface
	interface KeyPart {

		Optional<String> of(@Nullable Object[] arguments);

	}

}
