package dev.ratelimit.backtest;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A log of 2 GB is replayed on a heap of 64 MB, with progress shown, and no line of it is
 * lost.
 */
@Tag("proof-backtest")
class LargeLogProof {

	private static final long BYTES = 2L << 30;

	private final Path directory = Path.of("target").toAbsolutePath();

	private final Path file = this.directory.resolve("large-access.log");

	@AfterEach
	void delete() throws Exception {
		Files.deleteIfExists(this.file);
	}

	@Test
	void aLogOfTwoGigabytesIsReplayedOnAHeapOf64Megabytes() throws Exception {
		GeneratedLog log = GeneratedLog.write(this.file, BYTES);
		Path rules = new Runs(this.directory).rules("large-rules.yml", GeneratedLog.RULES);
		Path out = this.directory.resolve("large-report.json");
		Path err = this.directory.resolve("large-progress.txt");
		long start = System.nanoTime();
		Process process = new ProcessBuilder(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-Xmx64m", "-cp", System.getProperty("java.class.path"), Backtest.class.getName(), "--rules",
				rules.toString(), "--log", this.file.toString(), "--output", "json"))
			.redirectOutput(out.toFile())
			.redirectError(err.toFile())
			.start();
		int status = process.waitFor();
		double seconds = (System.nanoTime() - start) / 1e9;
		String progress = Files.readString(err, StandardCharsets.UTF_8);
		assertThat(status).as(progress).isZero();
		JsonNode report = JsonMapper.shared().readTree(Files.readString(out, StandardCharsets.UTF_8));
		long replayed = report.at("/log/replayed").asLong();
		long refused = report.at("/ruleSets/0/rules/0/refused").asLong();
		System.out.printf(Locale.ROOT,
				"Backtest of %.1f GB with -Xmx64m: %,d lines in %.0f s (%,.0f per second), %,d broken lines counted, %,d refused, %,d expected%n",
				Files.size(this.file) / 1e9, log.lines(), seconds, log.lines() / seconds,
				report.at("/log/broken/count").asLong(), refused, log.lines() - log.broken() - log.admitted());
		assertThat(report.at("/log/broken/count").asLong()).isEqualTo(log.broken());
		assertThat(replayed).isEqualTo(log.lines() - log.broken());
		assertThat(refused).isEqualTo(replayed - log.admitted());
		assertThat(progress).contains("100 %").contains("lines, ");
	}

}
