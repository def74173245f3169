package dev.ratelimit.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.LongStream;

/**
 * The use of the time of all processors since this machine started, as Linux counts it,
 * in hundredths of a second. On other systems it is unknown, and no time counts as
 * stolen.
 *
 * @param stolen the time that the host of a virtual machine gave to others
 * @param all the total time
 */
record ProcessorTime(long stolen, long all) {

	private static final Path STATISTICS = Path.of("/proc/stat");

	private static final int STOLEN = 7;

	static ProcessorTime now() {
		return now(STATISTICS);
	}

	static ProcessorTime now(Path statistics) {
		try {
			return Files.isReadable(statistics) ? of(Files.readString(statistics)) : new ProcessorTime(0, 0);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot read " + statistics, ex);
		}
	}

	/**
	 * The time of guests, behind the eighth number, is already part of the users' time.
	 */
	private static ProcessorTime of(String statistics) {
		String first = statistics.lines().findFirst().orElseThrow();
		long[] times = Arrays.stream(first.substring("cpu".length()).trim().split(" "))
			.mapToLong(Long::parseLong)
			.limit(STOLEN + 1)
			.toArray();
		return new ProcessorTime((times.length > STOLEN) ? times[STOLEN] : 0, LongStream.of(times).sum());
	}

	/** The share of the time since then that was stolen. */
	double stolenShareSince(ProcessorTime before) {
		long passed = this.all - before.all;
		return (passed > 0) ? (double) (this.stolen - before.stolen) / passed : 0;
	}

}
