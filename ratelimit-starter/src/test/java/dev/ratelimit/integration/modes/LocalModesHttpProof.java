package dev.ratelimit.integration.modes;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.fixture.PromiseLine;
import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.RawHttp;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application with a rule that decides from memory, and the same without limits, take
 * turns under the load of clients that wait for each response. The clients share the
 * processors with the application. A key has some ten requests a second: its leases live
 * long enough to save calls.
 */
@Tag("proof-modes")
class LocalModesHttpProof {

	private static final double BAR = 0.5;

	private static final int KEYS = 1000;

	private static final int CLIENTS = 16;

	private static final int ROUNDS = 5;

	private static final Duration ROUND = Duration.ofSeconds(5);

	private static final byte[] END_OF_HEAD = "\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

	private static final String BODY = "read";

	@RegisterExtension
	static final PromiseLine LINE = new PromiseLine(
			"modes that serve at least half of what the application serves without limits, over HTTP with 1,000 keys");

	@ParameterizedTest
	@ValueSource(strings = { "leased", "synced" })
	@DisplayName("2.12 Over HTTP, with 1,000 keys, the application serves at least half of what it serves without limits")
	void theApplicationServesAtLeastHalfOfWhatItServesWithoutLimits(String mode) throws Exception {
		try (RedisServer redis = RedisServer.start(); App without = start(redis, ""); App with = start(redis, """
				ratelimit.rules.client:
				  paths: /open
				  key: header:X-Client
				  algorithm: fixed-window
				  mode: %s
				  thresholds: 10000/1m
				%s
				""".formatted(mode, mode.equals("leased") ? "  lease-time: 10s" : ""))) {
			served(without);
			served(with);
			double[] parts = new double[ROUNDS];
			for (int i = 0; i < ROUNDS; i++) {
				parts[i] = (double) served(with) / served(without);
			}
			Arrays.sort(parts);
			System.out.printf(Locale.ROOT,
					"%s: %.0f %% of what is served without limits (at least %.0f %%; rounds %.0f to %.0f %%)%n", mode,
					100 * parts[ROUNDS / 2], 100 * BAR, 100 * parts[0], 100 * parts[ROUNDS - 1]);
			assertThat(parts[ROUNDS / 2]).isGreaterThanOrEqualTo(BAR);
		}
	}

	private static App start(RedisServer redis, String rules) {
		return App.start("""
				spring.data.redis: {host: 127.0.0.1, port: %d}
				server.tomcat.max-keep-alive-requests: -1
				""".formatted(redis.port()) + rules);
	}

	/** How many requests are served in a round. */
	private static int served(App app) throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
		try {
			long endNanos = System.nanoTime() + ROUND.toNanos();
			List<Callable<Integer>> clients = new ArrayList<>();
			for (int i = 0; i < CLIENTS; i++) {
				int first = i;
				clients.add(() -> send(app.port(), first, endNanos));
			}
			int served = 0;
			for (Future<Integer> client : threads.invokeAll(clients)) {
				served += client.get();
			}
			return served;
		}
		finally {
			threads.shutdownNow();
		}
	}

	private static int send(int port, int first, long endNanos) throws IOException {
		int served = 0;
		try (Socket socket = RawHttp.connect(port)) {
			InputStream in = new BufferedInputStream(socket.getInputStream());
			while (System.nanoTime() - endNanos < 0) {
				int key = (first + CLIENTS * served) % KEYS;
				socket.getOutputStream()
					.write(("GET /open HTTP/1.1\r\nHost: x\r\nX-Client: c" + key + "\r\n\r\n")
						.getBytes(StandardCharsets.US_ASCII));
				assertThat(response(in)).isEqualTo("200" + BODY);
				served++;
			}
		}
		return served;
	}

	/** The status and the body of a response. */
	private static String response(InputStream in) throws IOException {
		in.skipNBytes("HTTP/1.1 ".length());
		String status = new String(in.readNBytes(3), StandardCharsets.US_ASCII);
		for (int seen = 0; seen < END_OF_HEAD.length;) {
			int next = in.read();
			seen = (next == END_OF_HEAD[seen]) ? seen + 1 : (next == END_OF_HEAD[0]) ? 1 : 0;
			assertThat(next).isNotNegative();
		}
		return status + new String(in.readNBytes(BODY.length()), StandardCharsets.US_ASCII);
	}

}
