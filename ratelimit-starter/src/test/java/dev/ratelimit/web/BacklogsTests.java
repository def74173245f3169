package dev.ratelimit.web;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.limiter.CompiledRule;
import dev.ratelimit.limiter.RuleDecision;
import dev.ratelimit.limiter.RuleRequest;
import dev.ratelimit.rule.OnStoreFailure;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.spi.LaterHandler;
import dev.ratelimit.spi.Standing;
import dev.ratelimit.store.Subject;
import dev.ratelimit.support.WaitBudget;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What becomes of a request whose application is too busy to learn whether others are
 * queued before it.
 */
class BacklogsTests {

	private static final Duration DEADLINE = Duration.ofMillis(250);

	private final MovableClock clock = new MovableClock();

	private Optional<RuleDecision> refusal(Standing standing, OnStoreFailure policy, WaitBudget budget) {
		LaterHandler handler = (LaterHandler) Proxy.newProxyInstance(LaterHandler.class.getClassLoader(),
				new Class<?>[] { LaterHandler.class }, (proxy, method, arguments) -> {
					this.clock.advance(Duration.ofSeconds(1));
					return standing;
				});
		CompiledRule rule = CompiledRule
			.of(RLConfig.builder("orders").onStoreFailure(policy).thresholds("1/1h").build(), 64, false);
		return new Backlogs(handler, this.clock::nanoTime)
			.refusal(List.of(new RuleRequest(rule, rule.standard(), new Subject("s"), 1)), budget);
	}

	@ParameterizedTest
	@CsvSource({ "OVERLOADED, LOCAL, true", "OVERLOADED, DENY, true", "OVERLOADED, ALLOW, false",
			"NO_REPLY, LOCAL, false", "NO_REPLY, DENY, true", "NO_REPLY, ALLOW, false", "FREE, DENY, false" })
	void onlyWhatTheStoreCouldNotAnswerIsCountedApartFromIt(Standing standing, OnStoreFailure policy, boolean refused) {
		assertThat(refusal(standing, policy, new WaitBudget(DEADLINE)).isPresent()).isEqualTo(refused);
	}

	@ParameterizedTest
	@CsvSource({ "OVERLOADED, false", "FREE, false", "NO_REPLY, true" })
	void onlyTheStoreUsesUpTheTimeOfARequest(Standing standing, boolean usedUp) {
		WaitBudget budget = new WaitBudget(DEADLINE);
		refusal(standing, OnStoreFailure.ALLOW, budget);
		assertThat(budget.left().isZero()).isEqualTo(usedUp);
	}

}
