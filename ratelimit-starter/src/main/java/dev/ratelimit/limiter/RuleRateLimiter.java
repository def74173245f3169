package dev.ratelimit.limiter;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimitDecision.Allowed;
import dev.ratelimit.RateLimitDecision.Rejected;
import dev.ratelimit.RateLimiter;
import dev.ratelimit.limiter.CompiledAllowance.CompiledLimited;
import dev.ratelimit.limiter.source.KnownWindows;
import dev.ratelimit.rule.Cost;
import dev.ratelimit.rule.KeySource;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Fate;
import dev.ratelimit.store.Inspection;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Usage;
import dev.ratelimit.store.WaitRange;
import dev.ratelimit.support.Pending;
import dev.ratelimit.support.Waiter;

/**
 * Applies one rule from code, in the same bucket as HTTP.
 */
public final class RuleRateLimiter implements RateLimiter {

	private static final Duration LONGEST_PAUSE = Duration.ofDays(1);

	private static final Executor FUTURES = new CompletableFuture<>().defaultExecutor();

	private final Supplier<CompiledRules> rules;

	private final RequestLimiter limiter;

	private final SubjectEncoder subjects;

	private final ClientInspector clients;

	private final Waiter waiter;

	private final boolean enabled;

	/**
	 * Create a limiter.
	 * @param rules the rules in force, read once per call
	 * @param limiter decides
	 * @param subjects encodes keys
	 * @param clients inspects and resets keys
	 * @param waiter lets threads wait
	 * @param enabled whether rules are enforced; if not, every call is admitted
	 */
	public RuleRateLimiter(Supplier<CompiledRules> rules, RequestLimiter limiter, SubjectEncoder subjects,
			ClientInspector clients, Waiter waiter, boolean enabled) {
		this.rules = rules;
		this.limiter = limiter;
		this.subjects = subjects;
		this.clients = clients;
		this.waiter = waiter;
		this.enabled = enabled;
	}

	@Override
	public RateLimitDecision tryAcquire(String rule, String... key) {
		Optional<CompiledRule> enforced = find(rule, key);
		return enforced.isEmpty() ? admitted(rule) : tryAcquire(enforced.get(), key, cost(enforced.get().config()));
	}

	@Override
	public RateLimitDecision tryAcquire(String rule, String[] key, long permits) {
		Optional<CompiledRule> enforced = find(rule, key);
		requirePermits(permits, enforced);
		return enforced.isEmpty() ? admitted(rule) : tryAcquire(enforced.get(), key, permits);
	}

	private RateLimitDecision tryAcquire(CompiledRule rule, String[] key, long permits) {
		RuleRequest ruleRequest = ruleRequest(rule, key, permits);
		RateLimitDecision here = this.limiter.decideHere(ruleRequest);
		return enforced(ruleRequest, (here != null) ? here : only(decide(ruleRequest).await()));
	}

	@Override
	public CompletionStage<RateLimitDecision> tryAcquireAsync(String rule, String... key) {
		Optional<CompiledRule> enforced = find(rule, key);
		return tryAcquireAsync(rule, enforced, key, enforced.map((found) -> cost(found.config())).orElse(1L));
	}

	@Override
	public CompletionStage<RateLimitDecision> tryAcquireAsync(String rule, String[] key, long permits) {
		Optional<CompiledRule> enforced = find(rule, key);
		requirePermits(permits, enforced);
		return tryAcquireAsync(rule, enforced, key, permits);
	}

	private CompletionStage<RateLimitDecision> tryAcquireAsync(String rule, Optional<CompiledRule> enforced,
			String[] key, long permits) {
		if (enforced.isEmpty()) {
			return CompletableFuture.completedStage(admitted(rule));
		}
		RuleRequest ruleRequest = ruleRequest(enforced.get(), key, permits);
		return decide(ruleRequest).start(FUTURES).thenApply((decision) -> enforced(ruleRequest, only(decision)));
	}

	private static long cost(RLConfig rule) {
		return (rule.counting().cost() instanceof Cost.Fixed fixed) ? fixed.permits() : 1;
	}

	private static RateLimitDecision only(RequestDecision decision) {
		return decision.decided().get(0).decision();
	}

	private Pending<RequestDecision> decide(RuleRequest ruleRequest) {
		return this.limiter.decide(List.of(ruleRequest), this.limiter.newBudget());
	}

	@Override
	public RateLimitDecision acquire(String rule, String[] key, long permits, Duration maxWait)
			throws InterruptedException {
		if (maxWait.isNegative()) {
			throw new IllegalArgumentException("maxWait must not be negative, but is " + maxWait);
		}
		Waiter.requireUninterrupted();
		Optional<CompiledRule> enforced = find(rule, key);
		requirePermits(permits, enforced);
		if (enforced.isEmpty()) {
			return admitted(rule);
		}
		requireTurns(enforced.get());
		RuleRequest ruleRequest = ruleRequest(enforced.get(), key, permits).waiting(maxWait);
		RequestDecision decision = decide(ruleRequest).await();
		this.waiter.until(this.waiter.now() + decision.delay().toNanos());
		return enforced(ruleRequest, only(decision));
	}

	@Override
	public void pause(String rule, String[] key, Duration pause) {
		if (pause.compareTo(Duration.ZERO) <= 0 || pause.compareTo(LONGEST_PAUSE) > 0) {
			throw new IllegalArgumentException("pause must be positive and at most a day, but is " + pause);
		}
		find(rule, key).ifPresent((enforced) -> {
			requireTurns(enforced);
			RuleRequest ruleRequest = ruleRequest(enforced, key, 1);
			if (ruleRequest.allowance() instanceof CompiledLimited limited) {
				Object ignored = this.limiter
					.pause(limited, ruleRequest, new WaitRange(pause.toNanos() / 1000, Long.MAX_VALUE))
					.await();
			}
		});
	}

	@Override
	public RateLimitDecision peek(String rule, String... key) {
		return find(rule, key).map((enforced) -> peek(ruleRequest(enforced, key, 1))).orElseGet(() -> admitted(rule));
	}

	/** What the store would decide about a request for one permit. */
	private RateLimitDecision peek(RuleRequest ruleRequest) {
		if (!(ruleRequest.allowance() instanceof CompiledLimited limited)) {
			return KnownRefusals.withoutStore(ruleRequest);
		}
		RLConfig rule = ruleRequest.rule().config();
		Limit limit = limited.limit();
		Inspection inspection = this.clients.inspect(limit, ruleRequest.subject()).inspection();
		if (inspection instanceof Inspection.NotAvailable failed) {
			return FailurePolicy.decide(rule, new AcquireResult.Failed(failed.failure(), Fate.UNKNOWN));
		}
		List<Usage> usages = ((Inspection.Found) inspection).usage();
		return usages.stream().anyMatch(Usage::refuses)
				? new Rejected(rule.id(), this.clients.source(), KnownWindows.refused(limit, usages))
				: new Allowed(rule.id(), this.clients.source(), KnownWindows.admitted(limit, limit, usages));
	}

	@Override
	public boolean reset(String rule, String... key) {
		Optional<CompiledRule> enforced = find(rule, key);
		return enforced.isEmpty()
				|| this.clients.reset(enforced.get(), ruleRequest(enforced.get(), key, 1).subject()).isEmpty();
	}

	private static void requirePermits(long permits, Optional<CompiledRule> enforced) {
		if (permits < 1) {
			throw new IllegalArgumentException("permits must be at least 1, but is " + permits);
		}
		long most = enforced.map((rule) -> rule.config().counting().algorithm().maxCost()).orElse(Long.MAX_VALUE);
		if (permits > most) {
			throw new IllegalArgumentException("permits must be at most " + most + " of rule '"
					+ enforced.orElseThrow().id() + "', but is " + permits
					+ ": a sliding-window-log stores each permit. Use algorithm sliding-window-counter");
		}
	}

	/**
	 * Find the rule to ask.
	 * @return the rule; empty if the rule or the limiter is disabled
	 * @throws IllegalArgumentException if there is no such rule, or it has other keys
	 */
	private Optional<CompiledRule> find(String rule, String[] key) {
		CompiledRules rules = this.rules.get();
		Optional<CompiledRule> enforced = rules.find(rule);
		requireFitting(key, enforced.isPresent() ? enforced.get().config() : disabled(rules, rule));
		return this.enabled ? enforced : Optional.empty();
	}

	private RuleRequest ruleRequest(CompiledRule rule, String[] key, long permits) {
		return (key.length == 1) ? this.subjects.byKey(rule, key[0], Optional.empty(), permits)
				: this.subjects.byKey(rule, List.of(key), Optional.empty(), permits);
	}

	private static RateLimitDecision admitted(String rule) {
		return new Allowed(rule, RateLimitDecision.Source.NONE, List.of());
	}

	/** A rule in shadow always admits. */
	private static RateLimitDecision enforced(RuleRequest ruleRequest, RateLimitDecision decision) {
		return (decision.isAllowed() || ruleRequest.isRefusedBy(decision)) ? decision
				: new Allowed(decision.rule(), decision.source(), decision.quotas());
	}

	private static void requireTurns(CompiledRule rule) {
		if (!rule.givesTurns()) {
			throw new IllegalArgumentException(
					"No caller can wait for a turn under rule '%s': that needs algorithm ".formatted(rule.id())
							+ "sliding-window-log, mode strict and count-rejected false");
		}
	}

	private static RLConfig disabled(CompiledRules rules, String rule) {
		return rules.ruleSet().find(rule).orElseThrow(() -> unknown(rules, rule));
	}

	private static IllegalArgumentException unknown(CompiledRules rules, String rule) {
		return new IllegalArgumentException("There is no rate limit rule '" + rule + "'. The rules are: "
				+ rules.ruleSet().rules().stream().map(RLConfig::id).sorted().toList());
	}

	private static void requireFitting(String[] key, RLConfig rule) {
		boolean global = rule.key().sources().get(0).kind() == KeySource.Kind.GLOBAL;
		int expected = global ? 0 : rule.key().sources().size();
		if (key.length != expected) {
			throw new IllegalArgumentException("Rule '%s' counts by %s: its key takes %d %s, not %d".formatted(
					rule.id(), rule.key().sources(), expected, (expected == 1) ? "value" : "values", key.length));
		}
	}

}
