package dev.ratelimit.memcached;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A server fails under load, over HTTP. What each rule does then is what its
 * on-store-failure says; nothing becomes an error of the application; limits are exact
 * before and after. Needs a Memcached.
 */
@Tag("proof-memcached")
class MemcachedProof {

	private static final int LIMIT = 100;

	private static final int THREADS = 8;

	private static final int REQUESTS_UNDER_FAULT = 6000;

	/** To all rules together, so that none is exhausted. */
	private static final int REQUESTS_OF_A_CLIENT = 60;

	private static final long DEADLINE_MILLIS = 250;

	/** A request waits at most four deadlines to be sent, and one for its reply. */
	private static final long MOST_DEADLINES = 5;

	private final AtomicInteger names = new AtomicInteger();

	@ParameterizedTest
	@EnumSource
	void noFaultBecomesAnErrorAndLimitsAreExactBeforeAndAfter(Fault fault) throws Exception {
		try (MemcachedServer server = MemcachedServer.startOrFail("-m", "2", "-M");
				TestApplication application = start(server)) {
			assertThat(admitted(application, newClient())).as("before").isEqualTo(LIMIT);
			Load load = load(application, () -> fault.happens(server));
			System.out.printf(Locale.ROOT, "%s under load: %s, at most %d ms%n", fault, load.statuses(),
					load.longestMillis());
			assertThat(load.statuses().keySet()).allMatch(fault::allows);
			assertThat(load.statuses().containsKey("closed 503") || fault == Fault.RESTARTED)
				.as("some requests are not counted, unless a server is back at once")
				.isTrue();
			assertThat(load.longestMillis()).isLessThan(MOST_DEADLINES * DEADLINE_MILLIS);
			fault.ends(server);
			awaitCounting(application);
			assertThat(admitted(application, newClient())).as("after").isEqualTo(LIMIT);
		}
	}

	private static TestApplication start(MemcachedServer server) {
		List<String> settings = new ArrayList<>(List.of("ratelimit.deadline=" + DEADLINE_MILLIS + "ms"));
		Map.of("open", "allow", "closed", "deny", "local", "local").forEach((rule, policy) -> {
			String prefix = "ratelimit.rules." + rule + ".";
			settings.addAll(
					List.of(prefix + "paths=/" + rule, prefix + "key=header:Client", prefix + "algorithm=fixed-window",
							prefix + "thresholds=" + LIMIT + "/1h", prefix + "on-store-failure=" + policy));
		});
		return new TestApplication(server, settings.toArray(String[]::new));
	}

	private String newClient() {
		return "client-" + this.names.incrementAndGet();
	}

	private int admitted(TestApplication application, String name) throws Exception {
		return (int) inThreads(THREADS,
				() -> IntStream.range(0, 3 * LIMIT / THREADS)
					.filter((i) -> application.get("/closed", name).statusCode() == 200)
					.count())
			.stream()
			.mapToLong(Long::longValue)
			.sum();
	}

	private static <T> List<T> inThreads(int threads, Callable<T> task) throws Exception {
		ExecutorService executor = Executors.newFixedThreadPool(threads);
		try {
			List<T> results = new ArrayList<>();
			for (Future<T> result : executor.invokeAll(IntStream.range(0, threads).mapToObj((i) -> task).toList())) {
				results.add(result.get());
			}
			return results;
		}
		finally {
			executor.shutdownNow();
		}
	}

	/**
	 * Requests of fifty clients to all rules; the fault happens after a tenth of them.
	 */
	private Load load(TestApplication application, Runnable fault) throws Exception {
		Map<String, AtomicInteger> statuses = new ConcurrentSkipListMap<>();
		AtomicLong longestNanos = new AtomicLong();
		AtomicInteger sent = new AtomicInteger();
		CountDownLatch begun = new CountDownLatch(REQUESTS_UNDER_FAULT / 10);
		Thread failing = new Thread(() -> {
			try {
				begun.await();
				fault.run();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		});
		failing.start();
		String start = newClient();
		inThreads(THREADS, () -> {
			for (int i = sent.getAndIncrement(); i < REQUESTS_UNDER_FAULT; i = sent.getAndIncrement()) {
				String rule = List.of("open", "closed", "local").get(i % 3);
				long from = System.nanoTime();
				int status = application.get("/" + rule, start + "-" + i / REQUESTS_OF_A_CLIENT).statusCode();
				longestNanos.accumulateAndGet(System.nanoTime() - from, Math::max);
				statuses.computeIfAbsent(rule + " " + status, (name) -> new AtomicInteger()).incrementAndGet();
				begun.countDown();
			}
			return sent.get();
		});
		failing.join();
		return new Load(statuses, longestNanos.get() / 1_000_000);
	}

	/** A client that the server has not counted yet, as those before may be exhausted. */
	private void awaitCounting(TestApplication application) {
		int tries = 0;
		while (application.get("/closed", newClient()).statusCode() != 200) {
			assertThat(++tries).as("requests until it counts again").isLessThan(100_000);
		}
	}

	private record Load(Map<String, AtomicInteger> statuses, long longestMillis) {
	}

	private enum Fault {

		KILLED, SUSPENDED, RESTARTED, FULL;

		private void happens(MemcachedServer server) {
			switch (this) {
				case KILLED -> server.kill();
				case SUSPENDED -> server.suspend();
				case RESTARTED -> server.restart();
				case FULL -> fill(server);
			}
		}

		private void ends(MemcachedServer server) {
			switch (this) {
				case KILLED -> server.restart();
				case SUSPENDED -> server.resume();
				case RESTARTED -> {
				}
				case FULL -> server.ask("flush_all");
			}
		}

		/**
		 * With keys as long as those of the limiter, which share their part of the
		 * memory.
		 */
		private static void fill(MemcachedServer server) {
			int length = server.keys().get(0).length();
			String[] commands = IntStream.range(0, 40_000)
				.mapToObj((i) -> "ma %s N3601 q".formatted(String.format(Locale.ROOT, "%0" + length + "d", i)))
				.toArray(String[]::new);
			assertThat(server.ask(commands)).contains("SERVER_ERROR Out of memory allocating new item");
		}

		private boolean allows(String ruleAndStatus) {
			return List.of("open 200", "open 429", "closed 200", "closed 429", "closed 503", "local 200", "local 429")
				.contains(ruleAndStatus);
		}

	}

}
