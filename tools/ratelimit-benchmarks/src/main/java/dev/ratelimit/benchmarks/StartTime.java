package dev.ratelimit.benchmarks;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import com.sun.management.OperatingSystemMXBean;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.context.annotation.Configuration;

/**
 * The processor time that an application takes to start in its own JVM: a web application
 * as Boot configures it, with the starter and without. Wall-clock time is less
 * meaningful, because the machine runs other processes too.
 */
final class StartTime {

	private static final String OURS = "dev.ratelimit.";

	/** A module that an application with the starter alone does not have. */
	private static final String MEMCACHED = OURS + "memcached.";

	/**
	 * On the class path for the peers only; an application with the starter has none of
	 * them.
	 */
	private static final List<String> OF_PEERS = List.of("bucket4j", ".cache.", ".cloud.", ".data.", "redis",
			"validation");

	private StartTime() {
	}

	/**
	 * Start each application in turn, after one start of each that does not count.
	 * @param rounds the number of rounds
	 * @return the medians as a table
	 */
	static String table(int rounds) throws IOException, InterruptedException {
		Map<Variant, List<Double>> seconds = new EnumMap<>(Variant.class);
		for (int round = 0; round <= rounds; round++) {
			for (Variant variant : Variant.values()) {
				double start = start(variant);
				if (round > 0) {
					seconds.computeIfAbsent(variant, (missing) -> new ArrayList<>()).add(start);
				}
			}
		}
		StringBuilder table = new StringBuilder(
				"### Processor time of a start\n\n| application | s | x |\n|---|---:|---:|\n");
		double floor = median(seconds.getOrDefault(Variant.WITHOUT, List.of()));
		seconds.forEach((variant, all) -> table.append(
				String.format(Locale.ROOT, "| %s | %.2f | %.2f |%n", variant.title, median(all), median(all) / floor)));
		return table.append('\n').toString();
	}

	private static double median(List<Double> seconds) {
		return seconds.stream().sorted().skip(seconds.size() / 2).findFirst().orElseThrow();
	}

	private static double start(Variant variant) throws IOException, InterruptedException {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
						System.getProperty("java.class.path"), Application.class.getName(), variant.name()));
		command.addAll(variant.settings);
		Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		if (process.waitFor() != 0) {
			throw new IllegalStateException(variant.title + " did not start: " + output);
		}
		return Double.parseDouble(output.strip()) / 1e9;
	}

	/** The applications that are started. */
	private enum Variant {

		WITHOUT("without the starter"),

		NO_RULE("with it, no rule"),

		IN_MEMORY("one rule, `store: memory`", "--ratelimit.store=memory", "--ratelimit.rules.bench.paths=/**",
				"--ratelimit.rules.bench.thresholds=100/1s"),

		REDIS("one rule, Redis away", "--spring.data.redis.port=1", "--ratelimit.rules.bench.paths=/**",
				"--ratelimit.rules.bench.thresholds=100/1s");

		private final String title;

		@SuppressWarnings("ImmutableEnumChecker")
		private final List<String> settings;

		Variant(String title, String... settings) {
			this.title = title;
			this.settings = List.of(settings);
		}

	}

	/** Prints its processor time when it has started, and exits. */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		/**
		 * Start the application.
		 * @param args the name of the variant, and settings
		 */
		public static void main(String... args) {
			List<String> settings = new ArrayList<>(List.of(args));
			boolean ours = Variant.valueOf(settings.remove(0)) != Variant.WITHOUT;
			settings.addAll(List.of("--server.port=0", "--logging.level.root=error", "--spring.main.banner-mode=off",
					"--spring.autoconfigure.exclude=" + String.join(",", excluded(ours))));
			SpringApplication.run(Application.class, settings.toArray(String[]::new)).close();
			System.out.println(ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime());
		}

		static List<String> excluded(boolean ours) {
			Stream<String> all = StreamSupport.stream(
					ImportCandidates.load(AutoConfiguration.class, Application.class.getClassLoader()).spliterator(),
					false);
			return all.filter((name) -> name.startsWith(OURS) ? !ours || name.startsWith(MEMCACHED)
					: OF_PEERS.stream().anyMatch((part) -> name.toLowerCase(Locale.ROOT).contains(part)))
				.toList();
		}

	}

}
