package dev.ratelimit.integration;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Three application processes on one cluster under concurrent load. The log in Redis is
 * the log of admissions: its longest window outlasts the test, and its scores are Redis'
 * own times.
 */
@ExtendWith(SharedCluster.class)
class ThreeProcessesTests {

	private static final int SHORT = 40;

	private static final int LONG = 150;

	@Test
	@DisplayName("0.5 Three processes under load: no window anywhere holds more than its threshold")
	void noWindowAnywhereHoldsMoreThanItsThreshold() throws Exception {
		String prefix = App.newPrefix();
		List<AppProcess> instances = new ArrayList<>();
		ExecutorService callers = Executors.newFixedThreadPool(12);
		try {
			for (int i = 0; i < 3; i++) {
				instances.add(new AppProcess(System.getProperty("java.class.path"), arguments(prefix)));
			}
			for (AppProcess instance : instances) {
				instance.awaitStart();
			}
			AtomicInteger admitted = new AtomicInteger();
			List<Future<?>> calls = new ArrayList<>();
			long end = System.nanoTime() + 4_000_000_000L;
			for (int caller = 0; caller < 12; caller++) {
				int port = instances.get(caller % 3).port();
				calls.add(callers.submit(() -> {
					while (System.nanoTime() < end) {
						if (App.send(port, "GET", "/v1/product").statusCode() == 200) {
							admitted.incrementAndGet();
						}
					}
				}));
			}
			for (Future<?> call : calls) {
				call.get();
			}
			List<Long> micros = SharedCluster.scores(SharedCluster.keys(prefix).iterator().next());
			assertThat(micros).as("every admission is in the log")
				.hasSize(admitted.get())
				.hasSizeLessThanOrEqualTo(LONG);
			assertThat(mostWithin(micros, 1_000_000)).as("in any second").isLessThanOrEqualTo(SHORT);
			assertThat(micros).as("the limit was reached").hasSizeGreaterThan(2 * SHORT);
		}
		finally {
			callers.shutdownNow();
			instances.forEach(AppProcess::close);
		}
	}

	private static List<String> arguments(String prefix) {
		return List.of("--ratelimit.key-prefix=" + prefix, "--ratelimit.deadline=10s",
				"--ratelimit.rules.shared.paths=/v1/product", "--ratelimit.rules.shared.key=global",
				"--ratelimit.rules.shared.thresholds=" + SHORT + "/1s," + LONG + "/10m",
				"--spring.data.redis.cluster.nodes=" + String.join(",", SharedCluster.addresses()));
	}

	private static int mostWithin(List<Long> micros, long windowMicros) {
		int most = 0;
		int from = 0;
		for (int to = 0; to < micros.size(); to++) {
			while (micros.get(to) - micros.get(from) >= windowMicros) {
				from++;
			}
			most = Math.max(most, to - from + 1);
		}
		return most;
	}

}
