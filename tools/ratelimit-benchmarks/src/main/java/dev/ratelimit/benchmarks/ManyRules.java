package dev.ratelimit.benchmarks;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * An application with many rules, each for paths of its own: what its start, its heap and
 * its requests cost.
 */
final class ManyRules {

	private static final int[] COUNTS = { 1, 1000, 10_000 };

	private static final int REQUESTS = 20_000;

	private ManyRules() {
	}

	static String table() {
		StringBuilder table = new StringBuilder("""
				### Rules

				An application with `store: memory`, on one connection.

				| rules | CPU s of the start | heap MB | p50 us of a request that none covers | that one covers |
				|---:|---:|---:|---:|---:|
				""");
		measure(COUNTS[0], false);
		for (int count : COUNTS) {
			Measured uncovered = measure(count, false);
			table.append(
					String.format(Locale.ROOT, "| %,d | %.1f | %.1f | %.0f | %.0f |%n", count, uncovered.startSeconds,
							uncovered.heapMegabytes, uncovered.requestMicros, measure(count, true).requestMicros));
		}
		return table.append('\n').toString();
	}

	private static Measured measure(int rules, boolean covering) {
		long cpu = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
		ConfigurableApplicationContext context = new SpringApplicationBuilder(HttpApplication.class)
			.sources(HttpApplication.WithOurs.class)
			.properties(settings(rules, covering))
			.run("--server.port=0", "--spring.main.banner-mode=off", "--logging.level.root=error");
		double startSeconds = (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - cpu) / 1e9;
		try (HttpClients clients = new HttpClients(
				context.getEnvironment().getRequiredProperty("local.server.port", Integer.class), "/", context)) {
			double micros = medianMicros(clients);
			return new Measured(startSeconds, heapMegabytes(), micros);
		}
	}

	private static Map<String, Object> settings(int rules, boolean covering) {
		Map<String, Object> settings = new HashMap<>(Map.of("ratelimit.store", "memory"));
		for (int i = 0; i < rules; i++) {
			String rule = "ratelimit.rules.r" + i;
			settings.put(rule + ".paths", (covering && i == 0) ? "/" : "/resources-" + i + "/**");
			settings.put(rule + ".key", "header:X-Client");
			settings.put(rule + ".thresholds", "1000000/1s");
		}
		return settings;
	}

	private static double medianMicros(HttpClients clients) {
		double[] micros = new double[REQUESTS];
		for (int i = 0; i < micros.length; i++) {
			long start = System.nanoTime();
			clients.tryAcquire("client");
			micros[i] = (System.nanoTime() - start) / 1e3;
		}
		double[] last = Arrays.copyOfRange(micros, REQUESTS / 2, REQUESTS);
		Arrays.sort(last);
		return last[last.length / 2];
	}

	private static double heapMegabytes() {
		List<Double> used = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			System.gc();
			Runtime runtime = Runtime.getRuntime();
			used.add((runtime.totalMemory() - runtime.freeMemory()) / 1e6);
		}
		return used.stream().mapToDouble((each) -> each).min().orElseThrow();
	}

	private record Measured(double startSeconds, double heapMegabytes, double requestMicros) {
	}

}
