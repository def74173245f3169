package dev.ratelimit.method;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

import dev.ratelimit.limiter.CompiledRule;
import dev.ratelimit.limiter.RuleRequest;
import dev.ratelimit.limiter.SubjectEncoder;
import dev.ratelimit.rule.OnMissingKey;
import org.jspecify.annotations.Nullable;

/**
 * One rule as it guards one method.
 *
 * @param rule the rule
 * @param condition tells whether it applies to a call
 * @param key tells whom a call counts for, one part per key source of the rule
 * @param address tells the client's address, where the key is missing
 * @param cost tells how many permits a call costs
 * @param fallback answers refused calls, if there is one
 * @param maxWait how long a call waits for its turn at most; empty where it does not wait
 * @param subjects encodes keys
 */
record MethodRule(CompiledRule rule, Predicate<@Nullable Object[]> condition, List<KeyPart> key, KeyPart address,
		ToLongFunction<@Nullable Object[]> cost, Optional<FallbackMethod> fallback, Optional<Duration> maxWait,
		SubjectEncoder subjects) {

	MethodRule {
		key = List.copyOf(key);
	}

	/**
	 * What the rule asks about a call.
	 * @param arguments the arguments
	 * @return whom to count, or what to do for lack of a key
	 */
	Application apply(@Nullable Object[] arguments) {
		if (!this.condition.test(arguments)) {
			return new Skips();
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
			return (onMissingKey == OnMissingKey.DENY) ? new Denies() : new Skips();
		}
		Optional<String> client = (onMissingKey == OnMissingKey.IP) ? this.address.of(arguments) : Optional.empty();
		return counts(client.map((ip) -> this.subjects.byAddress(this.rule, ip, Optional.empty(), cost(arguments)))
			.orElseGet(() -> this.subjects.keyless(this.rule, Optional.empty(), cost(arguments))));
	}

	private Counts counts(RuleRequest ruleRequest) {
		return new Counts(this.maxWait.map(ruleRequest::waiting).orElse(ruleRequest));
	}

	private long cost(@Nullable Object[] arguments) {
		return Math.max(1, this.cost.applyAsLong(arguments));
	}

	/** A part of a key. */
	@FunctionalInterface
	interface KeyPart {

		Optional<String> of(@Nullable Object[] arguments);

	}

	/** How a rule applies to a call. */
	sealed interface Application {

	}

	/**
	 * It counts somebody.
	 *
	 * @param ruleRequest whom
	 */
	record Counts(RuleRequest ruleRequest) implements Application {
	}

	/** It does not apply, for lack of a key or because of its condition. */
	record Skips() implements Application {
	}

	/** It refuses, because the call lacks its key. */
	record Denies() implements Application {
	}

}
