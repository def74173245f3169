package dev.ratelimit.integration;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Three application processes on one cluster under concurrent load. The log in Redis is
 * the log of admissions: its longest window outlasts the test, and its scores are Redis'
 * own times.
 */
class ThreeProcessesTests {

	private static final int SHORT = 40;

	private static final int LONG = 150;

	@Test
	void noWindowAnywhereHoldsMoreThanItsThreshold() throws Exception {
		String prefix = App.newPrefix();
		List<Instance> instances = new ArrayList<>();
		ExecutorService callers = Executors.newFixedThreadPool(12);
		try {
			for (int i = 0; i < 3; i++) {
				instances.add(new Instance(prefix));
			}
			for (Instance instance : instances) {
				instance.awaitStart();
			}
			AtomicInteger admitted = new AtomicInteger();
			List<Future<?>> calls = new ArrayList<>();
			long end = System.nanoTime() + 4_000_000_000L;
			for (int caller = 0; caller < 12; caller++) {
				int port = instances.get(caller % 3).port;
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
			instances.forEach(Instance::close);
		}
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

	/** The test application in a process of its own. */
	private static final class Instance implements AutoCloseable {

		private final Process process;

		private int port;

		Instance(String prefix) throws IOException {
			this.process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
					"-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"),
					TestApplication.class.getName(), "--server.port=0", "--spring.main.banner-mode=off",
					"--ratelimit.key-prefix=" + prefix, "--ratelimit.deadline=10s",
					"--ratelimit.rules.shared.paths=/v1/product", "--ratelimit.rules.shared.key=global",
					"--ratelimit.rules.shared.thresholds=" + SHORT + "/1s," + LONG + "/10m",
					"--spring.data.redis.cluster.nodes=" + String.join(",", SharedCluster.addresses()), App.NO_SECURITY)
				.redirectErrorStream(true)
				.start();
		}

		void awaitStart() throws IOException {
			BufferedReader output = new BufferedReader(
					new InputStreamReader(this.process.getInputStream(), StandardCharsets.UTF_8));
			StringBuilder log = new StringBuilder();
			for (String line = output.readLine(); line != null; line = output.readLine()) {
				log.append(line).append('\n');
				int at = line.indexOf("Tomcat started on port ");
				if (at >= 0) {
					this.port = Integer.parseInt(line.substring(at + 23).split("\\D", 2)[0]);
					return;
				}
			}
			throw new IllegalStateException("The process ended:\n" + log);
		}

		@Override
		public void close() {
			this.process.destroyForcibly();
		}

	}

}
