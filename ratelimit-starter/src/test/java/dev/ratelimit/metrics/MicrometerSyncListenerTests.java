package dev.ratelimit.metrics;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Mode;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RuleSet;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

class MicrometerSyncListenerTests {

	private static final RLConfig STRICT = RLConfig.builder("strict").thresholds("1/1s").build();

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	private final MicrometerSyncListener listener = new MicrometerSyncListener(rules("a", "b"), this.registry);

	private static RuleSet rules(String... synced) {
		List<RLConfig> rules = new ArrayList<>(List.of(STRICT));
		Arrays.stream(synced).map(MicrometerSyncListenerTests::synced).forEach(rules::add);
		return new RuleSet(rules);
	}

	private static RLConfig synced(String id) {
		return RLConfig.builder(id).algorithm(Algorithm.FIXED_WINDOW).mode(Mode.SYNCED).thresholds("9/1s").build();
	}

	private double lost(String rule) {
		return this.registry.get("ratelimit.sync.lost").tag("rule", rule).counter().count();
	}

	private List<String> rulesWithMeters() {
		return this.registry.getMeters()
			.stream()
			.map(Meter::getId)
			.filter((id) -> id.getName().equals("ratelimit.sync.lost"))
			.map((id) -> id.getTag("rule"))
			.sorted()
			.toList();
	}

	@Test
	void everySyncedRuleHasAMeterFromTheStart() {
		assertThat(rulesWithMeters()).containsExactly("a", "b");
		assertThat(lost("a")).isZero();
	}

	@Test
	void permitsAreCountedByTheirRule() {
		this.listener.lost("a", 3);
		this.listener.lost("a", 4);
		assertThat(lost("a")).isEqualTo(7);
		assertThat(lost("b")).isZero();
	}

	@Test
	void anotherRuleSetKeepsTheCountsOfRulesThatStayAndRemovesTheMetersOfOthers() {
		this.listener.lost("b", 5);
		this.listener.follow(rules("b", "c"));
		assertThat(rulesWithMeters()).containsExactly("b", "c");
		this.listener.lost("b", 1);
		this.listener.lost("c", 2);
		assertThat(lost("b")).isEqualTo(6);
		assertThat(lost("c")).isEqualTo(2);
	}

	@Test
	void permitsLostByARemovedRuleAreNotCounted() {
		this.listener.follow(rules("b"));
		assertThatNoException().isThrownBy(() -> this.listener.lost("a", 3));
		assertThat(rulesWithMeters()).containsExactly("b");
	}

}
