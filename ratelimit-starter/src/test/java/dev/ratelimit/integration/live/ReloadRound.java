package dev.ratelimit.integration.live;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ref.WeakReference;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.RuleFiles;
import dev.ratelimit.limiter.CompiledRules;
import dev.ratelimit.limiter.rules.ActiveRules;
import dev.ratelimit.rule.live.RuleRefresh;
import io.micrometer.core.instrument.MeterRegistry;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application whose file of rules changes between two sets while clients send
 * requests. Every response names its limits, which show the set that decided it: a rule
 * of the filter, one that the handler names, and one that only the second set has.
 */
final class ReloadRound implements AutoCloseable {

	private static final String SOCKET = "socket:";

	private static final Set<String> SELECTOR = Set.of("anon_inode:[eventpoll]", "anon_inode:[eventfd]");

	private static final int CLIENTS = 4;

	private static final long REST_NANOS = 5_000_000;

	private static final String FIRST = "\"filter\";q=100001;w=600,\"named\";q=100001;w=600";

	private static final String SECOND = "\"filter\";q=100002;w=600,\"more\";q=100002;w=600,\"named\";q=100002;w=600";

	private static final String RULES = """
			ratelimit.defaults.algorithm: fixed-window
			ratelimit.store: memory
			ratelimit.deadline: 10s
			ratelimit.rule-source: {file: '%s', refresh: 100ms}
			""";

	private final Path file;

	private final App app;

	private final Map<String, LongAdder> answers = new ConcurrentHashMap<>();

	ReloadRound(Path directory) {
		this.file = directory.resolve("limits.yml");
		write(false);
		this.app = App.start(RULES.formatted(this.file), LiveRulesTests.LiveBeans.class);
	}

	private void write(boolean second) {
		int threshold = second ? 100_002 : 100_001;
		String text = """
				ratelimit.rules:
				  filter: {paths: /live, thresholds: %1$d/10m}
				  named: {thresholds: %1$d/10m}
				  served: {thresholds: 1/10m}
				  blocked: {paths: /open, key: header:X-Client, thresholds: %1$d/10m, overrides: [{key: mallory, thresholds: blocked}]}
				  %2$s
				"""
			.formatted(threshold,
					second ? "more: {paths: '/live/**', algorithm: token-bucket, thresholds: 100002/10m}" : "");
		RuleFiles.replace(this.file, text);
	}

	/**
	 * Change the rules while clients send requests.
	 * @param count how often; an even number ends with the first set
	 */
	void reload(int count) {
		this.answers.clear();
		CountDownLatch stopped = new CountDownLatch(1);
		List<Thread> clients = new ArrayList<>();
		for (int i = 0; i < CLIENTS; i++) {
			Thread client = new Thread(() -> acquire(stopped), "client-" + i);
			clients.add(client);
			client.start();
		}
		try {
			for (int i = 1; i <= count; i++) {
				boolean second = i % 2 == 1;
				write(second);
				this.app.bean(RuleRefresh.class).refresh();
				assertThat(answer(this.app.get("/live"))).as("the next request").isEqualTo(second ? SECOND : FIRST);
			}
		}
		finally {
			stopped.countDown();
			clients.forEach(ReloadRound::join);
			// Kept for other tests; here they would grow with the rounds.
			this.app.bean(LiveRulesTests.LiveBeans.class).events.clear();
		}
	}

	private void acquire(CountDownLatch stopped) {
		while (stopped.getCount() > 0) {
			try {
				count(answer(this.app.get("/live")));
				count("mallory " + this.app.get("/open", "X-Client", "mallory").statusCode());
			}
			catch (RuntimeException ex) {
				count("no answer: " + ex);
			}
			LockSupport.parkNanos(REST_NANOS);
		}
	}

	private void count(String answer) {
		this.answers.computeIfAbsent(answer, (key) -> new LongAdder()).increment();
	}

	private static String answer(HttpResponse<String> response) {
		return (response.statusCode() == 200) ? response.headers().firstValue("RateLimit-Policy").orElse("no rule")
				: "status " + response.statusCode();
	}

	private static void join(Thread thread) {
		try {
			thread.join();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * The answers that neither set explains.
	 * @return how often each of them was received
	 */
	Map<String, Long> unexplained() {
		Map<String, Long> unexplained = new HashMap<>();
		this.answers.forEach((answer, count) -> {
			if (!List.of(FIRST, SECOND, "mallory 403").contains(answer)) {
				unexplained.put(answer, count.sum());
			}
		});
		return unexplained;
	}

	long answers() {
		return this.answers.values().stream().mapToLong(LongAdder::sum).sum();
	}

	/** How many of the two sets decided a request. */
	long setsSeen() {
		return Stream.of(FIRST, SECOND).filter(this.answers::containsKey).count();
	}

	/** The rules in force now, which must be collected once others are. */
	List<WeakReference<?>> inForce() {
		CompiledRules rules = this.app.bean(ActiveRules.class).get();
		return List.of(new WeakReference<>(rules), new WeakReference<>(rules.find("filter").orElseThrow()));
	}

	/** The resources in use, which must not grow. */
	Footprint footprint() {
		List<String> threads = Thread.getAllStackTraces()
			.keySet()
			.stream()
			.map(Thread::getName)
			.filter((name) -> name.startsWith("ratelimit") || name.startsWith("FileSystemWatch"))
			// It ends a second after the last event.
			.filter((name) -> !name.equals("ratelimit-listeners"))
			.sorted()
			.toList();
		List<String> handles = handles();
		return new Footprint(threads,
				this.app.bean(MeterRegistry.class)
					.getMeters()
					.stream()
					.filter((meter) -> meter.getId().getName().startsWith("ratelimit"))
					.count(),
				handles.stream().filter((handle) -> !isOfConnections(handle)).count(),
				handles.stream().filter(ReloadRound::isOfSelector).count());
	}

	/** Connections of the clients come and go. */
	private static boolean isOfConnections(String handle) {
		return handle.startsWith(SOCKET) || isOfSelector(handle);
	}

	private static boolean isOfSelector(String handle) {
		return SELECTOR.contains(handle);
	}

	private static List<String> handles() {
		try (Stream<Path> handles = Files.list(Path.of("/proc/self/fd"))) {
			return handles.map(ReloadRound::target).toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String target(Path handle) {
		try {
			return Files.readSymbolicLink(handle).toString();
		}
		catch (IOException ex) {
			// Closed meanwhile: the handle of the listing itself.
			return SOCKET;
		}
	}

	@Override
	public void close() {
		this.app.close();
	}

	/**
	 * The resources that an application holds.
	 *
	 * @param threads the names of the limiter's threads
	 * @param meters how many meters of the limiter there are
	 * @param fileHandles how many open files, without connections
	 * @param selectorHandles how many open files wait for connections
	 */
	record Footprint(List<String> threads, long meters, long fileHandles, long selectorHandles) {

		/**
		 * There may be fewer selectors: the HTTP clients of other tests are
		 * garbage-collected at some point, which closes their two files.
		 */
		void assertHasNotGrown(Footprint before) {
			assertThat(this.threads).isEqualTo(before.threads);
			assertThat(this.meters).isEqualTo(before.meters);
			assertThat(this.fileHandles).isEqualTo(before.fileHandles);
			assertThat(this.selectorHandles).isLessThanOrEqualTo(before.selectorHandles);
		}

	}

}
