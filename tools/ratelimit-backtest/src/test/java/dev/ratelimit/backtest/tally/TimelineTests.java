package dev.ratelimit.backtest.tally;

import java.time.Instant;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TimelineTests {

	private final Timeline timeline = new Timeline();

	private final Series series = this.timeline.newSeries();

	private void count(String time) {
		this.timeline.advance(Instant.parse(time));
		this.series.add();
	}

	@Test
	void anEmptyTimelineHasNoSlices() {
		assertThat(this.timeline.slices()).isEmpty();
	}

	@Test
	void slicesAreOneSecondLongAtFirst() {
		count("2026-10-10T00:00:03.5Z");
		count("2026-10-10T00:00:03.9Z");
		count("2026-10-10T00:00:06Z");
		assertThat(this.timeline.slices()).contains(new Slices(Instant.parse("2026-10-10T00:00:03Z"), 1, 4));
		assertThat(this.series.counts(4)).containsExactly(2L, 0L, 0L, 1L);
	}

	@Test
	void severalSlicesAreMergedAtRoundTimes() {
		count("2026-10-10T00:00:03Z");
		count("2026-10-10T00:00:04Z");
		count("2026-10-10T00:00:05Z");
		count("2026-10-10T00:01:15Z");
		assertThat(this.timeline.slices()).contains(new Slices(Instant.parse("2026-10-10T00:00:00Z"), 5, 16));
		assertThat(this.series.counts(16)).startsWith(2L, 1L, 0L).endsWith(0L, 1L);
	}

	@Test
	void theNumberOfSlicesIsBoundedAndNoEventIsLost() {
		count("2026-10-10T00:00:03Z");
		for (String time : new String[] { "2026-10-10T11:59:59Z", "2026-10-13T00:00:00Z", "2027-10-10T00:00:00Z",
				"2099-01-01T00:00:00Z" }) {
			count(time);
			assertThat(this.timeline.slices().orElseThrow().count()).isLessThanOrEqualTo(Timeline.SLICES);
		}
		assertThat(this.series.counts(Timeline.SLICES).stream().mapToLong(Long::longValue).sum()).isEqualTo(5);
	}

}
