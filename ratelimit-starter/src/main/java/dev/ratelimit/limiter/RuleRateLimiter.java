package dev.ratelimit.limiter;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimitDecision.Allowed;
import dev.ratelimit.RateLimiter;
import dev.ratelimit.rule.Cost;
import dev.ratelimit.rule.KeySource;
import dev.ratelimit.rule.RLConfig;

/**
 * Asks one rule from code, in the same bucket as HTTP.
 */
public final class RuleRateLimiter implements RateLimiter {

	private final Supplier<CompiledRules> rules;

	private final RequestLimiter limiter;

	private final Subjects subjects;

	private final boolean enabled;

	/**
	 * Create a limiter.
	 * @param rules the rules in force, read once for each question
	 * @param limiter decides
	 * @param subjects encodes keys
	 * @param enabled whether rules are enforced; if not, every answer is an admission
	 */
	public RuleRateLimiter(Supplier<CompiledRules> rules, RequestLimiter limiter, Subjects subjects, boolean enabled) {
		this.rules = rules;
		this.limiter = limiter;
		this.subjects = subjects;
		this.enabled = enabled;
	}

	@Override
	public RateLimitDecision tryAcquire(String rule, String... key) {
		CompiledRules rules = this.rules.get();
		long cost = (find(rules, rule).cost() instanceof Cost.Fixed fixed) ? fixed.permits() : 1;
		return tryAcquire(rules, rule, key, cost);
	}

	@Override
	public RateLimitDecision tryAcquire(String rule, String[] key, long permits) {
		if (permits < 1) {
			throw new IllegalArgumentException("At least 1 permit can be taken, not " + permits);
		}
		return tryAcquire(this.rules.get(), rule, key, permits);
	}

	private RateLimitDecision tryAcquire(CompiledRules rules, String rule, String[] key, long permits) {
		RLConfig config = find(rules, rule);
		requireFitting(key, config);
		CompiledRule compiled = rules.find(rule).orElse(null);
		if (compiled == null || !this.enabled) {
			return new Allowed(rule, RateLimitDecision.Source.NONE, List.of());
		}
		Ask ask = this.subjects.byKey(compiled, List.of(key), Optional.empty(), permits);
		Decided decided = this.limiter.decide(List.of(ask), this.limiter.newBudget()).decided().get(0);
		RateLimitDecision decision = decided.decision();
		return (decision.isAllowed() || decided.refuses()) ? decision
				: new Allowed(rule, decision.source(), decision.quotas());
	}

	private static RLConfig find(CompiledRules rules, String rule) {
		return rules.ruleSet().find(rule).orElseThrow(() -> unknown(rules, rule));
	}

	private static IllegalArgumentException unknown(CompiledRules rules, String rule) {
		return new IllegalArgumentException("There is no rate limit rule '" + rule + "'. The rules are: "
				+ rules.ruleSet().rules().stream().map(RLConfig::id).sorted().toList());
	}

	private static void requireFitting(String[] key, RLConfig rule) {
		boolean global = rule.key().get(0).kind() == KeySource.Kind.GLOBAL;
		int expected = global ? 0 : rule.key().size();
		if (key.length != expected) {
			throw new IllegalArgumentException("Rule '%s' counts by %s: give %d values as its key, not %d"
				.formatted(rule.id(), rule.key(), expected, key.length));
		}
	}

}
