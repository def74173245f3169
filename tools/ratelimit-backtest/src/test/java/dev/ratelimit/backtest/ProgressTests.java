package dev.ratelimit.backtest;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ProgressTests {

	private final AtomicLong nanos = new AtomicLong();

	private final AtomicLong bytes = new AtomicLong();

	private final ByteArrayOutputStream out = new ByteArrayOutputStream();

	private final Progress progress = new Progress(this.bytes::get, 1000,
			new PrintStream(this.out, true, StandardCharsets.UTF_8), this.nanos::get);

	private String reported() {
		return this.out.toString(StandardCharsets.UTF_8);
	}

	private void read(int lines) {
		for (int i = 0; i < lines; i++) {
			this.progress.run();
		}
	}

	@Test
	void nothingIsReportedInTheFirstSecond() {
		read(5000);
		this.progress.end();
		assertThat(reported()).isEmpty();
	}

	@Test
	void progressIsReportedOnceASecondOnOneLine() {
		this.nanos.set(TimeUnit.SECONDS.toNanos(2));
		this.bytes.set(250);
		read(2048);
		this.nanos.set(TimeUnit.SECONDS.toNanos(4));
		this.bytes.set(1000);
		this.progress.end();
		assertThat(reported().lines().toList()).containsExactly("", " 25 %  1,024 lines, 512 per second ",
				"100 %  2,048 lines, 512 per second ");
	}

}
