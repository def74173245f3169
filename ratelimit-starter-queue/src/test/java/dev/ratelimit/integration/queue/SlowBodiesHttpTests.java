package dev.ratelimit.integration.queue;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.RateLimiter;
import dev.ratelimit.fixture.Patience;
import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.KeptRequests.Later;
import dev.ratelimit.integration.support.KeptRequests.Orders;
import dev.ratelimit.integration.support.RawHttp;
import dev.ratelimit.integration.support.SharedCluster;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.core.Ordered;
import org.springframework.web.filter.OncePerRequestFilter;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Clients above their limit that send half of a request, on a Tomcat with few threads
 * that waits for the rest practically for ever.
 */
@ExtendWith(SharedCluster.class)
class SlowBodiesHttpTests {

	private static final int AT_ONCE = 32;

	private static final int CLIENTS = 100;

	private static App app;

	@BeforeAll
	static void start() {
		app = App.start(SharedCluster.yaml() + """
				server.tomcat: {threads.max: 80, connection-timeout: 10m}
				ratelimit.rules:
				  orders: {paths: /orders, key: 'header:X-Client', thresholds: 1/1d, on-limit: enqueue}
				  reads: {paths: /orders/read, key: 'header:X-Client', thresholds: 1/1d, on-limit: enqueue}
				  turns: {paths: /orders/read, key: 'header:X-Client', thresholds: 5/1d, on-limit: delay}
				  rejected: {paths: /open, key: 'header:X-Client', thresholds: 1/1d}
				""", Orders.class, Later.class, Writing.class);
	}

	@AfterAll
	static void stop() {
		app.close();
	}

	private static List<Socket> sendHalf(String path, String client, String body) throws IOException {
		List<Socket> sockets = new ArrayList<>();
		for (int i = 0; i < CLIENTS; i++) {
			Socket socket = RawHttp.connect(app.port());
			socket.getOutputStream()
				.write(("POST " + path + " HTTP/1.1\r\nHost: x\r\nX-Client: " + client + "\r\n" + body)
					.getBytes(StandardCharsets.US_ASCII));
			sockets.add(socket);
		}
		return sockets;
	}

	private static int countResponses(List<Socket> sockets) throws IOException {
		int responses = 0;
		for (Socket socket : sockets) {
			responses += (socket.getInputStream().available() > 0) ? 1 : 0;
		}
		return responses;
	}

	private static void close(List<Socket> sockets) throws IOException {
		for (Socket socket : sockets) {
			socket.close();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "Content-Length: 100\r\n\r\nhalf", "Transfer-Encoding: chunked\r\n\r\n5;" })
	void slowBodiesOfRequestsToEnqueueHoldSomeThreadsOnly(String body) throws IOException {
		String client = "slow" + body.hashCode();
		assertThat(app.send("POST", "/orders", "X-Client", client).statusCode()).isEqualTo(200);
		List<Socket> sockets = sendHalf("/orders", client, body);
		Awaitility.await()
			.atMost(Patience.LONG)
			.untilAsserted(() -> assertThat(countResponses(sockets)).isEqualTo(CLIENTS - AT_ONCE));
		for (int i = 0; i < 20; i++) {
			assertThat(app.get("/open", "X-Client", client + "another" + i).statusCode()).isEqualTo(200);
		}
		close(sockets);
	}

	@Test
	void aClientThatResetsItsConnectionWhileItsBodyIsReadReleasesItsTurnAndIsCounted() throws IOException {
		assertThat(app.send("POST", "/orders/read", "X-Client", "gone").statusCode()).isEqualTo(200);
		try (Socket socket = RawHttp.connect(app.port())) {
			socket.getOutputStream()
				.write("POST /orders/read HTTP/1.1\r\nHost: x\r\nX-Client: gone\r\nContent-Length: 100\r\n\r\nhalf"
					.getBytes(StandardCharsets.US_ASCII));
			Awaitility.await().atMost(Patience.LONG).until(SlowBodiesHttpTests::turnsLeft, (left) -> left == 3);
			socket.setSoLinger(true, 0);
		}
		Awaitility.await().atMost(Patience.LONG).until(SlowBodiesHttpTests::turnsLeft, (left) -> left == 4);
		assertThat(app.bean(MeterRegistry.class)
			.get("ratelimit.requests")
			.tags("rule", "reads", "outcome", "rejected", "source", "store")
			.counter()
			.count()).isEqualTo(1);
	}

	private static long turnsLeft() {
		return app.bean(RateLimiter.class).peek("turns", "gone").quotas().get(0).remaining();
	}

	@Test
	void aRefusalIsWrittenWhereAFilterInFrontHasRequestedTheWriter() {
		assertThat(app.get("/open", "X-Client", "writer").statusCode()).isEqualTo(200);
		assertThat(app.get("/open", "X-Client", "writer", "X-Writer", "yes")).satisfies((refused) -> {
			assertThat(refused.statusCode()).isEqualTo(429);
			assertThat(refused.body()).startsWith("{\"type\":").endsWith("}");
			assertThat(refused.headers().firstValue("Retry-After")).isPresent();
		});
	}

	static class Writing extends OncePerRequestFilter implements Ordered {

		@Override
		protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
				throws ServletException, IOException {
			if (request.getHeader("X-Writer") != null) {
				response.getWriter();
			}
			chain.doFilter(request, response);
		}

		@Override
		public int getOrder() {
			return HIGHEST_PRECEDENCE;
		}

	}

}
