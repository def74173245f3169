package dev.ratelimit.integration.compatibility;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.regex.Pattern;

import dev.ratelimit.store.redis.SharedRedis;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * Runs test classes in a process of its own, because they share a server of Redis that is
 * chosen when the first of them starts it.
 */
final class SelectedTests {

	private static final int MOST_STACK_LINES = 5;

	private static final Pattern VERSION = Pattern.compile("^(redis|valkey)_version:(\\S+)", Pattern.MULTILINE);

	private SelectedTests() {
	}

	/**
	 * Run them, print how many passed, and exit with 1 if one failed.
	 * @param classes the names of the classes
	 */
	public static void main(String... classes) {
		SummaryGeneratingListener listener = new SummaryGeneratingListener();
		LauncherFactory.create()
			.execute(LauncherDiscoveryRequestBuilder.request()
				.selectors(Arrays.stream(classes).map(DiscoverySelectors::selectClass).toList())
				.build(), listener);
		TestExecutionSummary summary = listener.getSummary();
		summary.printFailuresTo(new PrintWriter(System.out, true, StandardCharsets.UTF_8), MOST_STACK_LINES);
		System.out.printf("%s: %d passed, %d failed, %d skipped%n", version(), summary.getTestsSucceededCount(),
				summary.getTotalFailureCount(), summary.getTestsSkippedCount() + summary.getTestsAbortedCount());
		System.exit((summary.getTotalFailureCount() == 0 && summary.getTestsSucceededCount() > 0) ? 0 : 1);
	}

	/** Valkey also reports the version of Redis that it is compatible with. */
	private static String version() {
		return VERSION.matcher(SharedRedis.info(SharedRedis.standalone(), "server"))
			.results()
			.map((version) -> version.group(1) + " " + version.group(2))
			.max(Comparator.naturalOrder())
			.orElseThrow();
	}

}
