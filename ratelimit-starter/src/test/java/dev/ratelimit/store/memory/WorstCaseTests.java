package dev.ratelimit.store.memory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.ratelimit.fixture.Patience;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLConfigBuilder;
import dev.ratelimit.rule.Refill;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.PermitIds;
import dev.ratelimit.store.Subject;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What docs/algorithms.md promises of a window's time, against a client that looks for
 * the worst: it tries every pair of instants around two edges, taking all it can get.
 */
class WorstCaseTests {

	private static final int N = 10;

	private static final long WINDOW = 10_000_000;

	/** An edge of fixed windows, so that a pattern means the same to every algorithm. */
	private static final long START = 1_600_000_000_000_000L;

	private static final Pattern ROW = Pattern
		.compile("(?m)^\\| `([a-z-]+)`(?: with `refill: interval`)? \\|[^|]*\\| ([^|]*?) \\|");

	private final PermitIds permits = new PermitIds(new SplittableRandom(1));

	@ParameterizedTest
	@CsvSource({ "sliding-window-log, n", "sliding-window-counter, 2 n", "fixed-window, 2 n", "token-bucket, 2 n - 1",
			"interval, 2 n - 1", "leaky-bucket, 2 n - 1" })
	@DisplayName("4.12 Most requests that pass in less than a window's time, as docs/algorithms.md has them")
	void mostInAWindowsTime(String kind, String bound) throws IOException {
		int expected = switch (bound) {
			case "n" -> N;
			case "2 n" -> 2 * N;
			default -> 2 * N - 1;
		};
		assertThat(worst(limit(kind))).isEqualTo(expected);
		assertThat(boundIn("docs/algorithms.md", kind)).contains(bound);
		assertThat(boundIn("README.md", kind)).isIn(Optional.of(bound), Optional.empty());
	}

	private static Limit limit(String kind) {
		RLConfigBuilder rule = RLConfig.builder("r").thresholds(N + "/10s");
		if (kind.equals("interval")) {
			return Limit.of(rule.algorithm(Algorithm.TOKEN_BUCKET).refill(Refill.INTERVAL).build());
		}
		for (Algorithm algorithm : Algorithm.values()) {
			if (algorithm.text().equals(kind)) {
				return Limit.of(rule.algorithm(algorithm).build());
			}
		}
		throw new IllegalArgumentException(kind);
	}

	private static Optional<String> boundIn(String page, String kind) throws IOException {
		Matcher row = ROW.matcher(Files.readString(Path.of("..").resolve(page)));
		while (row.find()) {
			boolean interval = row.group().contains("refill: interval");
			if (kind.equals(interval ? "interval" : row.group(1))) {
				return Optional.of(row.group(2));
			}
		}
		return Optional.empty();
	}

	private int worst(Limit limit) {
		int worst = 0;
		for (int first : new int[] { 0, 1, N }) {
			for (long a : instants()) {
				for (long b : instants()) {
					if (b > a) {
						worst = Math.max(worst, mostInAWindow(admissions(limit, first, a, b)));
					}
				}
			}
		}
		return worst;
	}

	/** Twentieths of a window, and the microsecond before each. */
	private static List<Long> instants() {
		List<Long> instants = new ArrayList<>();
		for (long instant = WINDOW / 2; instant <= 2 * WINDOW; instant += WINDOW / 20) {
			instants.add(instant - 1);
			instants.add(instant);
		}
		return instants;
	}

	private List<Long> admissions(Limit limit, int first, long a, long b) {
		long[] now = new long[1];
		List<Long> admitted = new ArrayList<>();
		try (MemoryStore store = new MemoryStore(() -> Instant.ofEpochSecond(0, (START + now[0]) * 1000))) {
			take(store, limit, first, now[0], admitted);
			now[0] = a;
			take(store, limit, 2 * N, now[0], admitted);
			now[0] = b;
			take(store, limit, 2 * N, now[0], admitted);
		}
		return admitted;
	}

	private void take(MemoryStore store, Limit limit, int most, long now, List<Long> admitted) {
		for (int i = 0; i < most; i++) {
			AcquireRequest request = new AcquireRequest(limit, new Subject("g"), 1, this.permits.next());
			if (!(store.acquire(List.of(request), Patience.LONG).await().get(0) instanceof AcquireResult.Admitted)) {
				return;
			}
			admitted.add(now);
		}
	}

	/** In less than a window's time: an admission a whole window later is outside. */
	private static int mostInAWindow(List<Long> admitted) {
		int most = 0;
		for (long from : admitted) {
			most = Math.max(most, (int) admitted.stream().filter((at) -> at >= from && at < from + WINDOW).count());
		}
		return most;
	}

}
