package dev.ratelimit.limiter;

import java.util.List;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.fixture.RecordingListener;
import dev.ratelimit.fixture.Sneaky;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.store.Subject;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which listeners receive a decision.
 */
class DecisionListenersTests {

	@Test
	void aListenerThatThrowsHidesNoDecisionFromTheOthers() {
		RecordingListener recording = new RecordingListener();
		DecisionListener all = DecisionListener.all(List.of(new Throwing(), recording));
		CompiledRule rule = CompiledRule.of(RLConfig.builder("r").thresholds("5/1m").build(), 64, true);
		all.decided(new RuleRequest(rule, rule.standard(), new Subject("s"), 1),
				new RateLimitDecision.Allowed("r", RateLimitDecision.Source.STORE, List.of()),
				DecisionListener.Outcome.ALLOWED, 1);
		assertThat(recording.events()).containsExactly("r ALLOWED by STORE");
	}

	private static final class Throwing implements DecisionListener {

		@Override
		public void decided(RuleRequest ruleRequest, RateLimitDecision decision, Outcome outcome, long nanos) {
			throw Sneaky.checked("decided");
		}

	}

}
