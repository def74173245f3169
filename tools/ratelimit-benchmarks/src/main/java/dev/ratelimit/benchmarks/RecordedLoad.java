package dev.ratelimit.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;

/**
 * The requests of one client, the same in every run.
 *
 * @param micros when each request arrives, in microseconds from the start, in order
 */
record RecordedLoad(List<Long> micros) {

	private static final String FILE = "worst-window.csv";

	RecordedLoad {
		micros = List.copyOf(micros);
		for (int i = 1; i < micros.size(); i++) {
			if (micros.get(i) < micros.get(i - 1)) {
				throw new IllegalArgumentException(
						"Request " + i + " at " + micros.get(i) + " us is earlier than the one before it");
			}
		}
	}

	/**
	 * The recorded requests: bursts around the edges of windows, twice the limit, pauses.
	 */
	static RecordedLoad read() {
		try (InputStream file = RecordedLoad.class.getResourceAsStream(FILE)) {
			String text = new String(Objects.requireNonNull(file, FILE).readAllBytes(), StandardCharsets.UTF_8);
			return new RecordedLoad(text.lines()
				.filter((line) -> !line.startsWith("#"))
				.flatMapToLong(RecordedLoad::arrivals)
				.boxed()
				.toList());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static LongStream arrivals(String line) {
		String[] numbers = line.split(",", -1);
		long first = Long.parseLong(numbers[0]) * 1000;
		long apart = Long.parseLong(numbers[2]);
		return LongStream.range(0, Long.parseLong(numbers[1])).map((number) -> first + number * apart);
	}

	/** The largest number of instants within less than the given time. */
	static int mostWithin(Duration time, List<Long> instants) {
		long length = time.toNanos() / 1000;
		int most = 0;
		int first = 0;
		for (int last = 0; last < instants.size(); last++) {
			while (instants.get(last) - instants.get(first) >= length) {
				first++;
			}
			most = Math.max(most, last - first + 1);
		}
		return most;
	}

	/**
	 * Offer every request to a limiter.
	 * @param peer the limiter
	 * @param quota its quota
	 * @return when the admitted requests arrived
	 */
	List<Long> admittedBy(ClockedPeer peer, Quota quota) {
		ClockedPeer.MovedClock clock = new ClockedPeer.MovedClock();
		List<Long> admitted = new ArrayList<>();
		try (Contender contender = peer.factory().open(quota, clock)) {
			for (long at : this.micros) {
				clock.moveTo(at);
				if (contender.tryAcquire("client")) {
					admitted.add(at);
				}
			}
		}
		return admitted;
	}

}
