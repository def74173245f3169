package dev.ratelimit.limiter.lease;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Allowance;
import dev.ratelimit.rule.Mode;
import dev.ratelimit.rule.Plans;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLThreshold;
import dev.ratelimit.store.Limit;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How long permits are leased where a rule has several limits.
 */
class LeaseTermsTests {

	private static final Allowance.Limited PAID = new Allowance.Limited(
			List.of(RLThreshold.valueOf("5/1s"), RLThreshold.valueOf("1000/10s")));

	private final RLConfig rule = RLConfig.builder("a")
		.mode(Mode.LEASED)
		.thresholds("100/10s")
		.plans(Plans.by("principal", Map.of("paid", PAID)))
		.build();

	private static LeaseTerms terms(Limit limit) {
		return LeaseTerms.of(limit, Mode.LEASED);
	}

	/** Else a call under one plan would delete permits that another must still count. */
	@Test
	void allPlansOfALogHaveTheShortestLife() {
		Duration life = Duration.ofMillis(75);
		assertThat(terms(Limit.of(this.rule)).life()).isEqualTo(life);
		assertThat(terms(Limit.of(this.rule, PAID.thresholds())).life()).isEqualTo(life);
	}

	/** A lease of a counter ends with its window, so nothing is deleted too early. */
	@Test
	void plansOfACounterHaveLivesOfTheirOwn() {
		RLConfig counter = RLConfig.builder("a")
			.algorithm(Algorithm.FIXED_WINDOW)
			.mode(Mode.LEASED)
			.thresholds("100/10s")
			.plans(Plans.by("principal", Map.of("paid", PAID)))
			.build();
		assertThat(terms(Limit.of(counter)).life()).isEqualTo(Duration.ofMillis(750));
		assertThat(terms(Limit.of(counter, PAID.thresholds())).life()).isEqualTo(Duration.ofMillis(75));
	}

	@Test
	void anOverrideHasALifeOfItsOwn() {
		assertThat(terms(Limit.ofOverride(this.rule, List.of(RLThreshold.valueOf("7/10s")))).life())
			.isEqualTo(Duration.ofMillis(750));
	}

}
