package dev.ratelimit.benchmarks;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import com.sun.management.OperatingSystemMXBean;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.context.annotation.Configuration;

/**
 * A web application as Boot configures it. Prints its processor time when it has started,
 * and exits. Public, because Spring's processing ahead of time calls it.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class StartedApplication {

	/** The first argument of an application without the starter. */
	static final String WITHOUT = "without";

	private static final String OURS = "dev.ratelimit.";

	/** A module that an application with the starter alone does not have. */
	private static final String MEMCACHED = OURS + "memcached.";

	/**
	 * On the class path for the peers only; an application with the starter has none of
	 * them.
	 */
	private static final List<String> OF_PEERS = List.of("bucket4j", ".cache.", ".cloud.", ".data.", "redis",
			"validation");

	/**
	 * Start the application.
	 * @param args whether it has the starter, and settings
	 */
	public static void main(String... args) {
		List<String> settings = new ArrayList<>(List.of(args));
		boolean ours = !settings.remove(0).equals(WITHOUT);
		settings.addAll(List.of("--server.port=0", "--logging.level.root=error", "--spring.main.banner-mode=off",
				"--spring.autoconfigure.exclude=" + String.join(",", excluded(ours))));
		SpringApplication.run(StartedApplication.class, settings.toArray(String[]::new)).close();
		System.out.println(ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime());
	}

	static List<String> excluded(boolean ours) {
		Stream<String> all = StreamSupport.stream(
				ImportCandidates.load(AutoConfiguration.class, StartedApplication.class.getClassLoader()).spliterator(),
				false);
		return all.filter((name) -> name.startsWith(OURS) ? !ours || name.startsWith(MEMCACHED)
				: OF_PEERS.stream().anyMatch((part) -> name.toLowerCase(Locale.ROOT).contains(part)))
			.toList();
	}

}
