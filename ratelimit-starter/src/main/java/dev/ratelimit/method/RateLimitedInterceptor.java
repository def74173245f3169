package dev.ratelimit.method;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimitExceededException;
import dev.ratelimit.limiter.DecisionListener;
import dev.ratelimit.limiter.DecisionListener.Outcome;
import dev.ratelimit.limiter.Permit;
import dev.ratelimit.limiter.RequestDecision;
import dev.ratelimit.limiter.RequestLimiter;
import dev.ratelimit.limiter.RuleApplication;
import dev.ratelimit.limiter.RuleRequest;
import dev.ratelimit.rule.OnMissingKey;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.support.DaemonThreads;
import dev.ratelimit.support.LogFields;
import dev.ratelimit.support.OncePerMinute;
import dev.ratelimit.support.WaitBudget;
import dev.ratelimit.support.Waiter;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Decides a call before the method runs, with all its rules in one call of the store. A
 * refused call acquires no permits from any rule.
 */
public final class RateLimitedInterceptor implements MethodInterceptor {

	/**
	 * A call that returns, or whose future has a value, counts like a successful request.
	 */
	private static final int SUCCEEDED = 200;

	/** A call that throws counts like a request whose handler throws. */
	static final int FAILED = 500;

	private static final Logger logger = LoggerFactory.getLogger(RateLimitedInterceptor.class);

	/** By the ids of rules. */
	private final Map<String, OncePerMinute> missingCallers = new ConcurrentHashMap<>();

	private final Supplier<LimitedMethods> methods;

	private final RequestLimiter limiter;

	private final DecisionListener listener;

	private final Waiter waiter;

	private final Executor releases = DaemonThreads.onDemand("ratelimit-releases", Integer.MAX_VALUE);

	/**
	 * Create an interceptor.
	 * @param methods the annotated methods under the rules in force, read once for each
	 * call
	 * @param limiter decides the calls
	 * @param listener notified of rules that guard a method but decided nothing
	 * @param waiter delays calls until their turn
	 */
	public RateLimitedInterceptor(Supplier<LimitedMethods> methods, RequestLimiter limiter, DecisionListener listener,
			Waiter waiter) {
		this.methods = methods;
		this.limiter = limiter;
		this.listener = listener;
		this.waiter = waiter;
	}

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		List<MethodRule> methodRules = this.methods.get().find(invocation.getMethod(), type(invocation));
		List<RuleRequest> ruleRequests = new ArrayList<>(methodRules.size());
		for (MethodRule methodRule : methodRules) {
			RuleApplication application = methodRule.apply(invocation.getArguments());
			if (application instanceof RuleApplication.Counts counts) {
				ruleRequests.add(counts.ruleRequest());
				continue;
			}
			boolean denies = application instanceof RuleApplication.Denies;
			this.listener.undecided(methodRule.rule().id(), denies ? Outcome.REJECTED : Outcome.SKIPPED);
			if (denies && !methodRule.rule().config().enforcement().shadow()) {
				if (methodRule.rule().config().key().onMissing() == OnMissingKey.IP) {
					warnOfMissingCaller(methodRule.rule().config(), invocation);
				}
				return refuse(invocation, List.of(methodRule), new RateLimitExceededException(
						"Rate limit rule '" + methodRule.rule().id() + "' refuses calls without its key", List.of()));
			}
		}
		return ruleRequests.isEmpty() ? invocation.proceed() : decide(invocation, methodRules, ruleRequests);
	}

	private void warnOfMissingCaller(RLConfig rule, MethodInvocation invocation) {
		if (this.missingCallers.computeIfAbsent(rule.id(), (id) -> new OncePerMinute(this.waiter.nanoTime()))
			.tryAcquire()) {
			logger.atWarn()
				.addKeyValue(LogFields.RULE, rule.id())
				.log("Rate limit rule '{}' refuses calls of {}: outside a web request they have neither its key {} nor "
						+ "an address. Pass the security context on to the thread (for principal and claim), or set "
						+ "on-missing-key of the rule to skip or shared.", rule.id(),
						ClassUtils.getQualifiedMethodName(invocation.getMethod(), type(invocation)),
						rule.key().sources());
		}
	}

	/**
	 * The type in which the annotations were found. Behind the proxy may be another one,
	 * as of a repository, whose implementation has none.
	 */
	private static Class<?> type(MethodInvocation invocation) {
		Object target = invocation.getThis();
		return (target != null) ? ClassUtils.getUserClass(target) : invocation.getMethod().getDeclaringClass();
	}

	private @Nullable Object decide(MethodInvocation invocation, List<MethodRule> methodRules,
			List<RuleRequest> ruleRequests) throws Throwable {
		WaitBudget budget = this.limiter.newBudget();
		List<Permit> permits = new ArrayList<>(ruleRequests.size());
		long turn = this.waiter.now();
		for (List<RuleRequest> together : RuleRequest.inOrder(ruleRequests)) {
			RequestDecision decision = this.limiter.decide(together, budget).await();
			if (!decision.isAdmitted()) {
				release(permits, budget);
				return refuse(invocation, methodRules, decision);
			}
			permits.addAll(decision.permits());
			long due = this.waiter.now() + decision.delay().toNanos();
			turn = (due - turn > 0) ? due : turn;
		}
		try {
			this.waiter.until(turn);
		}
		catch (InterruptedException ex) {
			release(permits, budget);
			if (!ReflectionUtils.declaresException(invocation.getMethod(), InterruptedException.class)) {
				// The proxy wraps the exception, so its callers see only the flag.
				Thread.currentThread().interrupt();
			}
			throw ex;
		}
		return proceed(invocation, permits, budget);
	}

	private static @Nullable Object refuse(MethodInvocation invocation, List<MethodRule> methodRules,
			RequestDecision decision) throws Throwable {
		List<RateLimitDecision> refusals = decision.refusals();
		List<String> ids = refusals.stream().map(RateLimitDecision::rule).toList();
		return refuse(invocation,
				methodRules.stream().filter((methodRule) -> ids.contains(methodRule.rule().id())).toList(),
				new RateLimitExceededException("Rate limit reached: " + String.join(", ", ids), refusals));
	}

	/**
	 * Permits that a rule does not count ({@code count-on}) are released when the method
	 * ends, or when the future that it returned does.
	 */
	private @Nullable Object proceed(MethodInvocation invocation, List<Permit> permits, WaitBudget budget)
			throws Throwable {
		Object result;
		try {
			result = invocation.proceed();
		}
		catch (Throwable ex) {
			settle(permits, FAILED, budget);
			throw ex;
		}
		if (result instanceof CompletionStage<?> stage
				&& permits.stream().anyMatch((permit) -> !permit.rule().counting().countOn().isAlways())) {
			settle(stage, permits, budget);
		}
		else {
			settle(permits, SUCCEEDED, budget);
		}
		return result;
	}

	private void settle(CompletionStage<?> stage, List<Permit> permits, WaitBudget budget) {
		if (stage instanceof CompletableFuture<?> future && future.isDone()) {
			settle(permits, future.isCompletedExceptionally() ? FAILED : SUCCEEDED, budget);
		}
		else {
			// The thread that completes it may be one that must not wait.
			CompletionStage<?> ignored = stage.handle((value, failure) -> this.limiter
				.settleOutcome(permits, (failure != null) ? FAILED : SUCCEEDED, budget)
				.start(this.releases));
		}
	}

	private void settle(List<Permit> permits, int status, WaitBudget budget) {
		Object ignored = this.limiter.settleOutcome(permits, status, budget).await();
	}

	private void release(List<Permit> permits, WaitBudget budget) {
		Object ignored = this.limiter.release(permits, budget).await();
	}

	private static @Nullable Object refuse(MethodInvocation invocation, List<MethodRule> refusing,
			RateLimitExceededException refusal) throws Throwable {
		for (MethodRule methodRule : refusing) {
			if (methodRule.fallback().isPresent()) {
				return methodRule.fallback().get().answer(invocation.getThis(), invocation.getArguments(), refusal);
			}
		}
		throw refusal;
	}

}
