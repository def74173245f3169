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
		Mode.Leased leased = new Mode.Leased(Mode.Leased.parseTime("500ms"), Mode.Leased.parseSize("20"));
		assertThat(leased.time(List.of(RLThreshold.valueOf("5/1m")))).isEqualTo(Duration.ofMillis(500));
		assertThat(leased.timeText()).isEqualTo("500ms");
		assertThat(leased.sizeText()).isEqualTo("20");
		assertThat(new Mode.Leased(Mode.Leased.parseTime("auto"), Mode.Leased.parseSize("auto")))
			.isEqualTo(Mode.LEASED);
		Mode.Synced synced = new Mode.Synced(Mode.Synced.INTERVAL.parse("2s"), Mode.Synced.parseMaxOvershoot("25%"));
		assertThat(DurationText.of(synced.interval())).isEqualTo("2s");
		assertThat(synced.maxOvershootPercent()).isEqualTo(25);
		assertThat(synced.maxOvershootText()).isEqualTo("25%");
	}

	@ParameterizedTest
	@ValueSource(strings = { "9ms", "61s", "1", "", "-1s", "1S", "0s", "1.5s" })
	void anInvalidOrOutOfRangeTimeIsRefused(String text) {
		assertThatExceptionOfType(InvalidRuleException.class).isThrownBy(() -> Mode.Leased.parseTime(text))
			.satisfies((ex) -> assertThat(ex.property()).isEqualTo("lease-time"))
			.satisfies((ex) -> assertThat(ex.cure()).contains("from 10ms to 1m"));
		assertThatExceptionOfType(InvalidRuleException.class).isThrownBy(() -> Mode.Synced.INTERVAL.parse(text))
			.satisfies((ex) -> assertThat(ex.property()).isEqualTo("sync-interval"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "0", "-1", "01", "1.5", "many", "", "1000000000000000" })
	void anInvalidOrOutOfRangeSizeIsRefused(String text) {
		assertThatExceptionOfType(InvalidRuleException.class).isThrownBy(() -> Mode.Leased.parseSize(text))
			.satisfies((ex) -> assertThat(ex.cure()).contains("or auto"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "0%", "101%", "-1%", "01%", "1.5%", "10", "", "10 %", "1000%" })
	void anInvalidOrOutOfRangeOvershootIsRefused(String text) {
		assertThatExceptionOfType(InvalidRuleException.class)
			.isThrownBy(() -> new Mode.Synced(Duration.ofSeconds(1), Mode.Synced.parseMaxOvershoot(text)))
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
