package dev.ratelimit.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The share of the processors' time that the host takes from a machine.
 */
class ProcessorTimeTests {

	@TempDir
	Path directory;

	@Test
	void stolenTimeIsTheEighthNumber() throws IOException {
		ProcessorTime before = read("cpu  100 2 30 400 5 6 7 8 50 0\ncpu0 1 2 3 4 5 6 7 8 9 0\n");
		ProcessorTime after = read("cpu  110 2 30 480 5 6 7 18 60 0\ncpu0 1 2 3 4 5 6 7 8 9 0\n");
		assertThat(before).isEqualTo(new ProcessorTime(8, 558));
		assertThat(after.stolenShareSince(before)).isEqualTo(0.1);
	}

	@Test
	void noTimeCountsAsStolenIfNoneIsReported() throws IOException {
		ProcessorTime none = ProcessorTime.now(this.directory.resolve("none"));
		assertThat(none.stolenShareSince(none)).isZero();
		assertThat(read("cpu  100 2 30 400\n")).isEqualTo(new ProcessorTime(0, 532));
	}

	private ProcessorTime read(String statistics) throws IOException {
		return ProcessorTime.now(Files.writeString(this.directory.resolve("stat"), statistics));
	}

}
