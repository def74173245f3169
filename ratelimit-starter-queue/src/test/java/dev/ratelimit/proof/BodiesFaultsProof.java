package dev.ratelimit.proof;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;

import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.fixture.FaultProxy;
import dev.ratelimit.fixture.Patience;
import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.KeptRequests.Later;
import dev.ratelimit.integration.support.KeptRequests.Orders;
import dev.ratelimit.queue.ItemQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The faults of {@link FaultsProof} once more, for requests with large bodies that are to
 * be stored: each is stored or refused soon, also while Redis reads nothing; acknowledged
 * requests are there afterwards; and the application recovers by itself.
 */
@Tag("proof-faults")
class BodiesFaultsProof {

	private static final int CLIENTS = 6;

	private static final byte[] BODY = new byte[1 << 20];

	/**
	 * Three calls of Redis, each with one deadline for its turn and one for its reply,
	 * and one to spare for each of the two large ones; less than a fault lasts.
	 */
	private static final Duration SOON = Observed.DEADLINE.multipliedBy(8);

	private static final Duration BEFORE = Duration.ofSeconds(1);

	private static final Duration MEANWHILE = Duration.ofMillis(RedisFault.PAUSE_MILLIS - 100);

	private static final String YAML = """
			spring.data.redis.port: %d
			ratelimit.deadline: %dms
			ratelimit.deny-cache: 0
			ratelimit.rules.orders:
			  paths: /orders/**
			  key: header:X-Client
			  thresholds: 1/1h
			  on-limit: enqueue
			  on-store-failure: deny
			  max-queue: 40
			  enqueue: {max-body: 1MB, max-bytes: 300MB}
			""";

	private static Place place;

	private static App app;

	private final Queue<Response> responses = new ConcurrentLinkedQueue<>();

	private final CountDownLatch closed = new CountDownLatch(1);

	@BeforeAll
	static void start() {
		RedisServer server = RedisServer.start();
		place = new Place(server, FaultProxy.to(server.port()), RedisServer.start());
		app = App.start(YAML.formatted(place.proxy().port(), Observed.DEADLINE.toMillis()), Orders.class, Later.class);
	}

	@AfterAll
	static void stop() {
		app.close();
		place.proxy().close();
		place.spare().close();
		place.server().close();
	}

	@ParameterizedTest(name = "{0}")
	@EnumSource
	void bodiesAreStoredOrRefusedSoon(RedisFault fault) {
		Awaitility.await().atMost(Duration.ofSeconds(20)).until(place::isWritable);
		place.admin((redis) -> redis.flushAll());
		List<Thread> clients = startClients(fault.name());
		try (Controls controls = Controls.start(Observed.DEADLINE, CLIENTS)) {
			FaultRound.pass(BEFORE);
			fault.begin(place);
			FaultRound.pass(MEANWHILE);
			fault.end(place);
			Awaitility.await().atMost(Duration.ofSeconds(20)).until(place::isWritable);
			long writable = System.nanoTime();
			Awaitility.await()
				.pollInterval(Duration.ofMillis(20))
				.atMost(Duration.ofSeconds(20))
				.until(() -> this.responses.stream()
					.anyMatch((one) -> one.startNanos() > writable && one.isStorable()));
			Duration recovery = Duration.ofNanos(System.nanoTime() - writable);
			this.closed.countDown();
			join(clients);
			System.out.printf(Locale.ROOT,
					"P5-P7 bodies %s %s: %,d requests of 1 MB %s, slowest %d ms, stored again after %.2f s%n",
					fault.number(), fault, this.responses.size(), statuses(), slowest().toMillis(),
					recovery.toMillis() / 1e3);
			assertThat(statuses().keySet()).as("no error").isSubsetOf(200, 202, 429, 503);
			assertThat(slowest()).as("the slowest").isLessThanOrEqualTo(SOON.plus(controls.worst()));
			assertThat(recovery).isLessThanOrEqualTo(Observed.RECOVERY.plus(controls.worst()));
			if (!fault.losesData()) {
				assertThat(queued()).as("acknowledged requests are there")
					.isGreaterThanOrEqualTo(statuses().getOrDefault(202, 0L));
			}
		}
	}

	private static long queued() {
		return app.bean(ItemQueue.class).statuses(List.of("orders"), 1, Patience.LONG).get(0).orElseThrow().queued();
	}

	private List<Thread> startClients(String fault) {
		List<Thread> clients = new ArrayList<>();
		for (int i = 0; i < CLIENTS; i++) {
			String name = fault + "-" + i;
			Thread client = new Thread(() -> post(name), "load-" + name);
			client.start();
			clients.add(client);
		}
		return clients;
	}

	private void post(String client) {
		HttpClient http = HttpClient.newHttpClient();
		HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + app.port() + "/orders"))
			.header("X-Client", client)
			.POST(BodyPublishers.ofByteArray(BODY))
			.build();
		while (this.closed.getCount() > 0) {
			long start = System.nanoTime();
			try {
				int status = http.send(request, BodyHandlers.discarding()).statusCode();
				this.responses.add(new Response(start, System.nanoTime(), status));
			}
			catch (IOException | InterruptedException ex) {
				this.responses.add(new Response(start, System.nanoTime(), 599));
			}
			FaultRound.pass(Duration.ofMillis(10));
		}
	}

	private static void join(List<Thread> clients) {
		for (Thread client : clients) {
			try {
				client.join();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}
	}

	private Map<Integer, Long> statuses() {
		return this.responses.stream()
			.collect(Collectors.groupingBy(Response::status, TreeMap::new, Collectors.counting()));
	}

	private Duration slowest() {
		return Duration.ofNanos(this.responses.stream()
			.mapToLong((response) -> response.endNanos() - response.startNanos())
			.max()
			.orElseThrow());
	}

	/**
	 * The response to a request.
	 *
	 * @param startNanos when the request was sent
	 * @param endNanos when the response arrived
	 * @param status the status; 599 where there was no response
	 */
	private record Response(long startNanos, long endNanos, int status) {

		/** Whether Redis was requested to store it. */
		boolean isStorable() {
			return this.status == 202 || this.status == 429;
		}

	}

}
