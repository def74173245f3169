package dev.ratelimit.integration.outcomes;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.ratelimit.fixture.Patience;
import dev.ratelimit.integration.outcomes.OutcomeApp.Payments;
import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.SharedCluster;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The outcome is the status that was sent, and is settled when the sending begins:
 * earlier than the handler's end where it flushes or writes more than the buffer holds,
 * and whether or not the client is still connected.
 */
@ExtendWith(SharedCluster.class)
@Timeout(60)
class OutcomeCommitTests {

	/** Tomcat's buffer of a response. */
	private static final int BUFFER = 8192;

	private static App app;

	private static Payments payments;

	private int before;

	@BeforeAll
	static void start() {
		app = App.start(SharedCluster.yaml() + """
				server.http2.enabled: true
				test: {thresholds: 100000/1d, count-on: failure}
				""", OutcomeApp.class);
		payments = app.bean(Payments.class);
	}

	@AfterAll
	static void stop() {
		app.close();
	}

	@BeforeEach
	void count() {
		this.before = permits();
	}

	private int failures() {
		return permits() - this.before;
	}

	private static int permits() {
		return SharedCluster.keys(app.prefix()).stream().mapToInt((key) -> SharedCluster.scores(key).size()).sum();
	}

	/** Text is buffered as characters, then as bytes. */
	static Stream<String> bodiesAboutAsLargeAsTheBuffer() {
		return IntStream.rangeClosed(-1, 1)
			.boxed()
			.flatMap((more) -> Stream.of("write-bytes-then-throw?chunk=1000&count=" + (BUFFER + more),
					"write-bytes-then-throw?chunk=100000&count=" + (BUFFER + more),
					"write-bytes-then-throw?chunk=1&count=" + (BUFFER + more),
					"write-then-throw?charset=ISO-8859-1&count=" + (BUFFER + more),
					"write-then-throw?charset=ISO-8859-1&count=" + (2 * BUFFER + more),
					"write-then-throw?charset=UTF-16BE&count=" + (BUFFER + more),
					"write-then-throw?charset=UTF-8&count=" + (BUFFER / 3 + more),
					"write-then-throw?charset=UTF-8&count=" + (BUFFER + more)));
	}

	@Test
	void aHandlerThatFailsAfterItHasWrittenAWholeBodyHasSucceededBecauseTomcatSendsIt() throws IOException {
		try (Client client = new Client("write-bytes-then-throw?count=10&chunk=10&declared=true")) {
			assertThat(client.status).contains("200");
			assertThat(failures()).isZero();
		}
	}

	@ParameterizedTest
	@MethodSource("bodiesAboutAsLargeAsTheBuffer")
	void aHandlerThatFailsAfterItHasWrittenHasFailedIfTheClientReceivesAnError(String path) throws IOException {
		try (Client client = new Client(path)) {
			int expected = client.status.contains(" 500") ? 1 : 0;
			// The first bytes of a text are sent before its overflow is detected.
			Awaitility.await().untilAsserted(() -> assertThat(failures()).as(client.status).isEqualTo(expected));
		}
	}

	@Test
	void aFlushedStatusIsTheOutcomeWhateverFollows() throws IOException {
		try (Client client = new Client("flush-then-throw/200")) {
			assertThat(client.status).contains("200");
			assertThat(failures()).isZero();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "response", "stream", "writer", "close", "closed-writer" })
	void aFlushedResponseIsSettledThoughTheHandlerIsStillBusy(String by) throws Exception {
		for (int status : new int[] { 200, 402 }) {
			CompletableFuture<Integer> response = CompletableFuture
				.supplyAsync(() -> app.get("/payments/flush-then-wait/" + status + "?by=" + by).statusCode());
			payments.arrived.acquire();
			int counted = failures();
			payments.mayGo.release();
			assertThat(counted).isEqualTo((status == 402) ? 1 : 0);
			assertThat(response.get()).isEqualTo(status);
			count();
		}
	}

	@Test
	void anEventStreamIsSettledWhenItBegins() throws Exception {
		try (Client client = new Client("events/200")) {
			payments.arrived.acquire();
			int counted = failures();
			payments.mayGo.release();
			assertThat(client.status).contains("200");
			assertThat(counted).isZero();
		}
	}

	@Test
	void aClientThatLeavesInTheMiddleOfTheBodyHasSeenASuccess() throws Exception {
		try (Client client = new Client("endless/200")) {
			assertThat(client.status).contains("200");
		}
		payments.arrived.acquire();
		assertThat(failures()).isZero();
	}

	@ParameterizedTest
	@CsvSource({ "wait/200, 0", "wait/402, 1", "callable-waits/200, 0", "callable-waits/402, 1",
			"callable-waits/500, 1" })
	void aClientThatDoesNotWaitHasTheOutcomeItWouldHaveSeen(String path, int failures) throws Exception {
		int handled = payments.handled.get();
		Client client = new Client(path, false);
		payments.arrived.acquire();
		client.close();
		int held = failures();
		payments.mayGo.release();
		assertThat(held).as("held while in flight").isEqualTo(1);
		Awaitility.await()
			.until(() -> failures() == failures && (path.endsWith("500") || payments.handled.get() > handled));
	}

	/**
	 * The container reports it to the work, and what is dispatched then has status 200.
	 */
	@Test
	void aClientThatResetsItsStreamGetsNoPermitBack() throws Exception {
		HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build();
		assertThat(client.send(request("answer/200"), HttpResponse.BodyHandlers.discarding()).version())
			.isEqualTo(HttpClient.Version.HTTP_2);
		CompletableFuture<HttpResponse<Void>> response = client.sendAsync(request("callable-waits/200"),
				HttpResponse.BodyHandlers.discarding());
		payments.arrived.acquire();
		assertThat(response.cancel(true)).isTrue();
		// The first permit was released, and this one is settled by the dispatch.
		Awaitility.await().during(Duration.ofSeconds(1)).until(() -> failures() == 1);
		payments.mayGo.release();
		Awaitility.await().during(Duration.ofSeconds(1)).until(() -> failures() == 1);
	}

	private static HttpRequest request(String path) {
		return HttpRequest.newBuilder(URI.create("http://localhost:" + app.port() + "/payments/" + path)).build();
	}

	/** A client that can disconnect. */
	private static final class Client implements AutoCloseable {

		private final Socket socket;

		private final String status;

		Client(String path) throws IOException {
			this(path, true);
		}

		Client(String path, boolean read) throws IOException {
			this.socket = new Socket(InetAddress.getLoopbackAddress(), app.port());
			this.socket.setSoTimeout((int) Patience.LONG.toMillis());
			this.socket.getOutputStream()
				.write(("GET /payments/" + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n")
					.getBytes(StandardCharsets.US_ASCII));
			this.status = read
					? new BufferedReader(new InputStreamReader(this.socket.getInputStream(), StandardCharsets.US_ASCII))
						.readLine()
					: "";
		}

		@Override
		public void close() throws IOException {
			this.socket.setSoLinger(true, 0);
			this.socket.close();
		}

	}

}
