package dev.ratelimit.rule;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Valid options of a mode, made in code or read from text.
 */
class ModeTests {

	@ParameterizedTest
	@CsvSource({ "100/1s, 100ms", "100/1m, 1s", "100/1d, 1s", "100/5ms, 1ms", "'9/10s,100/2s', 200ms" })
	void automaticLeasesLastATenthOfTheShortestWindowAndAtMostASecond(String thresholds, String time) {
		List<RLThreshold> windows = List.of(thresholds.split(",")).stream().map(RLThreshold::valueOf).toList();
		assertThat(Mode.LEASED.time(windows)).isEqualTo(DurationText.parse("time", time, ""));
		assertThat(Mode.LEASED.timeText()).isEqualTo("auto");
		assertThat(Mode.LEASED.sizeText()).isEqualTo("auto");
	}

	@Test
	void givenOptionsAreUsed() {
		Mode.Leased leased = (Mode.Leased) leased("500ms", "20");
		assertThat(leased.time(List.of(RLThreshold.valueOf("5/1m")))).isEqualTo(Duration.ofMillis(500));
		assertThat(leased.timeText()).isEqualTo("500ms");
		assertThat(leased.sizeText()).isEqualTo("20");
		assertThat(leased("auto", "auto")).isEqualTo(Mode.LEASED);
		Mode.Synced synced = new Mode.Synced(Duration.ofSeconds(2), (int) RuleKey.MAX_OVERSHOOT.parse("25%"));
		assertThat(synced.maxOvershootPercent()).isEqualTo(25);
	}

	private static Mode leased(String time, String size) {
		RuleValues values = new RuleValues(RuleCatalogue.STARTER).put(RuleKey.MODE, List.of(Mode.ModeKind.LEASED));
		values.put(RuleKey.LEASE_TIME, List.of(RuleKey.LEASE_TIME.parse(time)));
		return values.put(RuleKey.LEASE_SIZE, List.of(RuleKey.LEASE_SIZE.parse(size))).mode();
	}

	@ParameterizedTest
	@ValueSource(strings = { "9ms", "61s", "1", "", "-1s", "1S", "0s", "1.5s" })
	void anInvalidOrOutOfRangeTimeIsRefused(String text) {
		assertThatExceptionOfType(InvalidRuleException.class).isThrownBy(() -> RuleKey.LEASE_TIME.parse(text))
			.satisfies((ex) -> assertThat(ex.property()).isEqualTo("lease-time"))
			.satisfies((ex) -> assertThat(ex.cure()).contains("from 10ms to 1m"));
		assertThatExceptionOfType(InvalidRuleException.class).isThrownBy(() -> RuleKey.SYNC_INTERVAL.parse(text))
			.satisfies((ex) -> assertThat(ex.property()).isEqualTo("sync-interval"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "0", "-1", "01", "1.5", "many", "", "1000000000000000" })
	void anInvalidOrOutOfRangeSizeIsRefused(String text) {
		assertThatExceptionOfType(InvalidRuleException.class).isThrownBy(() -> RuleKey.LEASE_SIZE.parse(text))
			.satisfies((ex) -> assertThat(ex.cure()).contains("or auto"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "0%", "101%", "-1%", "01%", "1.5%", "10", "", "10 %", "1000%" })
	void anInvalidOrOutOfRangeOvershootIsRefused(String text) {
		assertThatExceptionOfType(InvalidRuleException.class).isThrownBy(() -> RuleKey.MAX_OVERSHOOT.parse(text))
			.satisfies((ex) -> assertThat(ex.property()).isEqualTo("max-overshoot"))
			.satisfies((ex) -> assertThat(ex.cure()).contains("mode strict"));
	}

	@Test
	void optionsMadeInCodeAreCheckedToo() {
		assertThatExceptionOfType(InvalidRuleException.class)
			.isThrownBy(() -> new Mode.Leased(Optional.of(Duration.ofNanos(10_000_001)), Optional.empty()));
		assertThatExceptionOfType(InvalidRuleException.class)
			.isThrownBy(() -> new Mode.Leased(Optional.empty(), Optional.of(0L)));
		assertThatExceptionOfType(InvalidRuleException.class).isThrownBy(() -> new Mode.Synced(Duration.ZERO, 10));
		assertThatExceptionOfType(InvalidRuleException.class)
			.isThrownBy(() -> new Mode.Synced(Duration.ofSeconds(1), 0));
	}

}
