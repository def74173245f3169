package dev.ratelimit.integration.failure;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import dev.ratelimit.integration.support.AppProcess;
import dev.ratelimit.integration.support.Pipeline;
import dev.ratelimit.integration.support.RequestTargets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * One address that sends a new key with every request does not fill the heap of an
 * instance that counts in its own memory: because Redis is away, or because it always
 * does.
 */
@Tag("proof-memory")
class MemoryOutageProof {

	private static final String HEAP = "-Xmx112m";

	private static final int THREADS = 4;

	private static final int ROUNDS = 175;

	private static final int BATCH = 1000;

	@ParameterizedTest
	@ValueSource(strings = { "--spring.data.redis.port=1", "--ratelimit.store=memory" })
	void aHeaderThatIsNeverTheSameTwiceDoesNotFillTheHeap(String store) throws Exception {
		try (AppProcess app = new AppProcess(Path.of(System.getProperty("java.home")), HEAP,
				System.getProperty("java.class.path"),
				List.of(store, "--server.tomcat.max-keep-alive-requests=-1",
						"--management.endpoints.web.exposure.include=metrics", "--logging.level.root=error",
						"--logging.level.org.springframework.boot.tomcat=info",
						// Both store their counts for an hour, and the first admits most
						// of them.
						"--ratelimit.rules.client.paths=/open", "--ratelimit.rules.token.paths=/open",
						"--ratelimit.rules.client.key=header:X-Client", "--ratelimit.rules.client.thresholds=5/1h",
						"--ratelimit.rules.token.key=header:X-Client", "--ratelimit.rules.token.thresholds=5/1h",
						"--ratelimit.rules.token.algorithm=fixed-window"))) {
			app.awaitStart();
			long start = System.nanoTime();
			int[] statuses = flood(app.port());
			double seconds = (System.nanoTime() - start) / 1e9;
			double shared = value(app.port(), "ratelimit.memory.shared");
			System.out.printf(Locale.ROOT,
					"Memory: %,d requests with as many keys in %.0f s, %s, %s: %,d with 200, %,d with 429, "
							+ "%,.0f decisions in shared buckets%n",
					THREADS * ROUNDS * BATCH, seconds, HEAP, store, statuses[0], statuses[1], shared);
			assertThat(statuses[0] + statuses[1]).isEqualTo(THREADS * ROUNDS * BATCH);
			// Requests with buckets of their own, and requests that may share one.
			assertThat(statuses[0]).isBetween(50_000, 50_000 + 5 * 1024);
			assertThat(shared).isGreaterThan(600_000);
		}
	}

	/** How many responses had status 200, and how many 429. */
	private static int[] flood(int port) throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(THREADS);
		try {
			List<Callable<int[]>> tasks = new ArrayList<>();
			for (int thread = 0; thread < THREADS; thread++) {
				String name = "client" + thread + '-';
				tasks.add(() -> flood(new Pipeline(port), name));
			}
			int[] statuses = new int[2];
			for (Future<int[]> future : threads.invokeAll(tasks)) {
				statuses[0] += future.get()[0];
				statuses[1] += future.get()[1];
			}
			return statuses;
		}
		finally {
			threads.shutdown();
		}
	}

	private static int[] flood(Pipeline pipeline, String name) throws Exception {
		int[] statuses = new int[2];
		for (int round = 0; round < ROUNDS; round++) {
			List<RequestTargets.Request> requests = new ArrayList<>(BATCH);
			for (int i = 0; i < BATCH; i++) {
				requests.add(new RequestTargets.Request(
						"GET /open HTTP/1.1\r\nHost: localhost\r\nX-Client: " + name + (round * BATCH + i) + "\r\n\r\n",
						false));
			}
			pipeline.send(requests).forEach((reply) -> {
				int status = reply.orElseThrow().status();
				statuses[0] += (status == 200) ? 1 : 0;
				statuses[1] += (status == 429) ? 1 : 0;
			});
		}
		return statuses;
	}

	private static double value(int port, String meter) throws Exception {
		String body = HttpClient.newHttpClient()
			.send(HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/actuator/metrics/" + meter)).build(),
					BodyHandlers.ofString())
			.body();
		return JsonMapper.shared().readTree(body).at("/measurements/0/value").asDouble();
	}

}
