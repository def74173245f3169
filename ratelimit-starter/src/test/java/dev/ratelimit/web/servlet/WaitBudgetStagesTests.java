package dev.ratelimit.web.servlet;

import java.time.Duration;

import dev.ratelimit.fixture.Patience;
import dev.ratelimit.rule.RLConfig;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A request waits for the store no longer than the deadline, over all its stages.
 */
class WaitBudgetStagesTests {

	private static final Duration STORE_TAKES = Duration.ofMillis(30);

	@Test
	void bothStagesAndTheSettlementShareOneBudget() {
		LimitedApp app = new LimitedApp(RLConfig.builder("before").paths("/**").key("ip").thresholds("9/1m").build(),
				RLConfig.builder("after").paths("/**").key("principal").thresholds("9/1m").countOn("failure").build());
		app.store.duringCalls(() -> app.clock.advance(STORE_TAKES));
		assertThat(app.get("/a", "User", "anna").getStatus()).isEqualTo(200);
		assertThat(app.store.released()).containsExactly("after");
		assertThat(app.store.maxWaits()).containsExactly(Patience.LONG, Patience.LONG.minus(STORE_TAKES),
				Patience.LONG.minus(STORE_TAKES.multipliedBy(2)));
	}

	@Test
	void theNextRequestHasTheWholeBudgetAgain() {
		LimitedApp app = new LimitedApp(RLConfig.builder("r").paths("/**").thresholds("9/1m").build());
		app.store.duringCalls(() -> app.clock.advance(STORE_TAKES));
		app.get("/a");
		app.get("/a");
		assertThat(app.store.maxWaits()).containsExactly(Patience.LONG, Patience.LONG);
	}

}
