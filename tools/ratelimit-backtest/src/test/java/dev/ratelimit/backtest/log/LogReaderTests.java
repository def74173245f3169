package dev.ratelimit.backtest.log;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LogReaderTests {

	private static final Instant START = Instant.parse("2026-10-10T00:00:00Z");

	private final List<Instant> times = new ArrayList<>();

	private final List<Long> numbers = new ArrayList<>();

	private LogSummary read(List<String> lines) throws IOException {
		LogReader reader = new LogReader(LogFormat.COMBINED, (now, line) -> {
			this.times.add(now);
			this.numbers.add(line.number());
		});
		byte[] log = String.join("\n", lines).getBytes(StandardCharsets.ISO_8859_1);
		return reader.read("access.log", new ByteArrayInputStream(log), () -> {
		});
	}

	private static String line(int minute, int second) {
		return line("10/Oct/2026:00:%02d:%02d".formatted(minute, second), "GET");
	}

	private static String line(String time, String method) {
		return "192.0.2.1 - - [" + time + " +0000] \"" + method + " / HTTP/1.1\" 200 5 \"-\" \"-\"";
	}

	@Test
	void requestsAreReplayedInTheOrderOfTheirTimes() throws IOException {
		LogSummary summary = read(List.of(line(0, 5), line(0, 3), line(0, 4), line(0, 3), line(0, 9)));
		assertThat(this.numbers).containsExactly(2L, 4L, 3L, 1L, 5L);
		assertThat(this.times).isSorted();
		assertThat(summary.unsorted()).isEqualTo(new LogSummary.Unsorted(2, 0, 2000, List.of(2L, 4L)));
		assertThat(summary.from()).contains(START.plusSeconds(3));
		assertThat(summary.to()).contains(START.plusSeconds(9));
	}

	@Test
	void aLineThatIsTooLateToBeSortedIsReplayedAtTheLatestTime() throws IOException {
		List<String> lines = new ArrayList<>(IntStream.range(0, 1800).mapToObj((i) -> line(i / 60, i % 60)).toList());
		lines.add(line(0, 7));
		LogSummary summary = read(lines);
		assertThat(summary.unsorted()).isEqualTo(new LogSummary.Unsorted(1, 1, 1_792_000, List.of(1801L)));
		assertThat(this.times).isSorted().hasSize(1801);
		assertThat(this.times.get(this.numbers.indexOf(1801L))).isEqualTo(START.plusSeconds(1799 - 512));
	}

	@Test
	void aLineFromTheFutureDoesNotAffectOtherLines() throws IOException {
		List<String> lines = new ArrayList<>(IntStream.range(0, 1800).mapToObj((i) -> line(i / 60, i % 60)).toList());
		lines.add(3, line("10/Oct/2099:00:00:00", "GET"));
		LogSummary summary = read(lines);
		assertThat(this.numbers).last().isEqualTo(4L);
		assertThat(this.times.subList(0, 1800))
			.containsExactlyElementsOf(IntStream.range(0, 1800).mapToObj(START::plusSeconds).toList());
		assertThat(summary.unsorted().count()).isEqualTo(1);
		assertThat(summary.unsorted().late()).isZero();
	}

	@Test
	void brokenLinesAreCountedByReasonAndTheFirstOnesShown() throws IOException {
		List<String> lines = new ArrayList<>();
		for (int i = 0; i < 7; i++) {
			lines.add("what\u001b[31m is this");
		}
		lines.add(line(0, 1));
		lines.add("");
		lines.add("x".repeat(1_000_000));
		LogSummary summary = read(lines);
		assertThat(summary.lines()).isEqualTo(10);
		assertThat(summary.replayed()).isEqualTo(1);
		assertThat(summary.broken().count()).isEqualTo(8);
		assertThat(summary.broken().byReason())
			.isEqualTo(Map.of("is not in this format", 7L, "is longer than 32768 bytes", 1L));
		assertThat(summary.broken().first()).hasSize(5)
			.last()
			.isEqualTo(new LogSummary.Example(5, "is not in this format", "what?[31m is this"));
	}

	@Test
	void optionsRequestsAreTakenForPreflights() throws IOException {
		LogSummary summary = read(List.of(line("10/Oct/2026:00:00:00", "OPTIONS"), line(0, 1)));
		assertThat(summary.preflights()).isEqualTo(1);
		assertThat(this.numbers).containsExactly(2L);
	}

	@Test
	void anEmptyLogHasNoTime() throws IOException {
		LogSummary summary = read(List.of());
		assertThat(summary.lines()).isZero();
		assertThat(summary.from()).isEmpty();
		assertThat(summary.to()).isEmpty();
	}

}
