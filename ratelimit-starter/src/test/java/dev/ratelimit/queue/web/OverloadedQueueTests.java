package dev.ratelimit.queue.web;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.limiter.CompiledRule;
import dev.ratelimit.limiter.RuleDecision;
import dev.ratelimit.limiter.RuleRequest;
import dev.ratelimit.queue.Backlog;
import dev.ratelimit.queue.ItemQueue;
import dev.ratelimit.rule.OnStoreFailure;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.store.Subject;
import dev.ratelimit.support.WaitBudget;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What becomes of a request whose application is too busy to learn whether others are
 * queued before it.
 */
class OverloadedQueueTests {

	private static final Duration DEADLINE = Duration.ofMillis(250);

	private final MovableClock clock = new MovableClock();

	private Optional<RuleDecision> refusal(Backlog backlog, OnStoreFailure policy, WaitBudget budget) {
		ItemQueue queue = (ItemQueue) Proxy.newProxyInstance(ItemQueue.class.getClassLoader(),
				new Class<?>[] { ItemQueue.class }, (proxy, method, arguments) -> {
					this.clock.advance(Duration.ofSeconds(1));
					return backlog;
				});
		CompiledRule rule = CompiledRule
			.of(RLConfig.builder("orders").onStoreFailure(policy).thresholds("1/1h").build(), 64, false);
		return new RequestBacklog(queue, this.clock::nanoTime)
			.refusal(List.of(new RuleRequest(rule, rule.standard(), new Subject("s"), 1)), budget);
	}

	@ParameterizedTest
	@CsvSource({ "OVERLOADED, LOCAL, true", "OVERLOADED, DENY, true", "OVERLOADED, ALLOW, false",
			"NO_REPLY, LOCAL, false", "NO_REPLY, DENY, true", "NO_REPLY, ALLOW, false", "NONE, DENY, false" })
	void onlyWhatTheStoreCouldNotAnswerIsCountedApartFromIt(Backlog backlog, OnStoreFailure policy, boolean refused) {
		assertThat(refusal(backlog, policy, new WaitBudget(DEADLINE)).isPresent()).isEqualTo(refused);
	}

	@ParameterizedTest
	@CsvSource({ "OVERLOADED, false", "NONE, false", "NO_REPLY, true" })
	void onlyTheStoreUsesUpTheTimeOfARequest(Backlog backlog, boolean usedUp) {
		WaitBudget budget = new WaitBudget(DEADLINE);
		refusal(backlog, OnStoreFailure.ALLOW, budget);
		assertThat(budget.left().isZero()).isEqualTo(usedUp);
	}

}
