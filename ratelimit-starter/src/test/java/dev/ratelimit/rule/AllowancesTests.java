package dev.ratelimit.rule;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class AllowancesTests {

	private static final List<RLThreshold> STANDARD = List.of(RLThreshold.valueOf("5/1m"));

	private static final List<RLThreshold> PAID = List.of(RLThreshold.valueOf("9/1m"));

	private final Allowance paid = new Allowance.Limited(PAID);

	private final Allowances allowances = new Allowances(STANDARD,
			Plans.by("session", Map.of("paid", this.paid, "vip", Allowance.UNLIMITED)),
			List.of(new KeyOverride(List.of("a"), Allowance.UNLIMITED), new KeyOverride(List.of("b"), this.paid)));

	@Test
	void everyLimitIsListedWithTheKeyThatSetsIt() {
		assertThat(this.allowances.limits()).containsExactly(Map.entry("thresholds", STANDARD),
				Map.entry("plans.paid", PAID), Map.entry("overrides[1].thresholds", PAID));
	}

	@Test
	void aPlanWithoutThresholdsHasNoLimit() {
		assertThat(this.allowances.thresholdsOfPlans()).containsExactly(STANDARD, PAID);
	}

}
