package dev.ratelimit.rule.config;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.rule.Mode;
import dev.ratelimit.rule.RLConfig;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The mode of a rule and its options, as set by the rule or by the defaults.
 */
class ReadModesTests {

	@Test
	void aRuleIsStrictByDefault() {
		assertThat(read("""
				ratelimit.rules:
				  silent: {thresholds: 5/1m}
				  strict: {mode: STRICT, thresholds: 5/1m}
				""")).extracting((rule) -> rule.counting().mode()).containsOnly(Mode.STRICT);
	}

	@Test
	void leasesAreReadWithTheirOptions() {
		assertThat(read("""
				ratelimit.rules:
				  auto: {mode: leased, thresholds: 5/1m}
				  all: {mode: leased, lease-time: 500ms, lease-size: 5, thresholds: 5/1m}
				  words: {mode: leased, lease-time: auto, lease-size: auto, thresholds: 5/1m}
				""")).extracting((rule) -> rule.counting().mode())
			.containsExactly(Mode.LEASED, new Mode.Leased(Optional.of(Duration.ofMillis(500)), Optional.of(5L)),
					Mode.LEASED);
	}

	@Test
	void aDefaultModeIsUsedIfItFitsTheRule() {
		assertThat(read("""
				ratelimit:
				  defaults: {mode: leased, lease-time: 200ms, lease-size: 3}
				  rules:
				    log: {thresholds: 5/1m}
				    own: {lease-size: auto, thresholds: 5/1m}
				    strict: {mode: strict, thresholds: 5/1m}
				    bucket: {algorithm: token-bucket, thresholds: 5/1m}
				    hammered: {count-rejected: true, thresholds: 5/1m}
				    failures: {count-on: failure, thresholds: 5/1m}
				""")).extracting((rule) -> rule.counting().mode())
			.containsExactly(new Mode.Leased(Optional.of(Duration.ofMillis(200)), Optional.of(3L)),
					new Mode.Leased(Optional.of(Duration.ofMillis(200)), Optional.empty()), Mode.STRICT, Mode.STRICT,
					Mode.STRICT, Mode.STRICT);
	}

	@Test
	void defaultsThatContradictTheModeOfARuleAreNotUsed() {
		assertThat(read("""
				ratelimit:
				  defaults: {count-rejected: true}
				  rules.leased: {mode: leased, thresholds: 5/1m}
				""")).singleElement().satisfies((rule) -> {
			assertThat(rule.counting().mode()).isEqualTo(Mode.LEASED);
			assertThat(rule.counting().countRejected()).isFalse();
		});
		assertThat(read("""
				ratelimit:
				  defaults: {count-on: failure}
				  rules.leased: {mode: leased, thresholds: 5/1m}
				""")).singleElement().satisfies((rule) -> assertThat(rule.counting().countOn().isAlways()).isTrue());
	}

	private static List<RLConfig> read(String yaml) {
		return TestSources.yaml(yaml).read().rules().rules();
	}

}
