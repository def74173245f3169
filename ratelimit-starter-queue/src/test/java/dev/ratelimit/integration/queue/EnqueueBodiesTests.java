package dev.ratelimit.integration.queue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.KeptRequests.Later;
import dev.ratelimit.integration.support.KeptRequests.Orders;
import dev.ratelimit.integration.support.SharedCluster;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.core.Ordered;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.servlet.config.annotation.CorsRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

import static dev.ratelimit.integration.support.KeptRequests.CLIENT;
import static dev.ratelimit.integration.support.KeptRequests.RULE;
import static dev.ratelimit.integration.support.KeptRequests.emptyAll;
import static dev.ratelimit.integration.support.KeptRequests.finish;
import static dev.ratelimit.integration.support.KeptRequests.order;
import static dev.ratelimit.integration.support.KeptRequests.start;
import static dev.ratelimit.integration.support.KeptRequests.warm;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which requests are enqueued, and with which bodies: large ones, forms, bodies that
 * filters have read, and requests from pages of other origins.
 */
@ExtendWith(SharedCluster.class)
class EnqueueBodiesTests {

	@Test
	@DisplayName("a body that is too large is 413, too many bytes in the queue are 429")
	void aBodyThatIsTooLargeIsNotEnqueued() {
		try (App app = start("1h", "ratelimit.rules.orders.enqueue.max-bytes: 17KB")) {
			assertThat(order(app, "ann", "x".repeat(100)).statusCode()).as("goes to the controller").isEqualTo(200);
			assertThat(order(app, "ann", "x".repeat(11)).statusCode()).isEqualTo(413);
			HttpResponse<String> refused = order(app, "ann", "x".repeat(100));
			assertThat(refused.headers().firstValue("Content-Type")).contains("application/problem+json");
			assertThat(order(app, "ann", "x".repeat(10)).statusCode()).isEqualTo(202);
			assertThat(order(app, "bob", "x").statusCode()).isEqualTo(200);
			String long7000 = "/orders?" + "q".repeat(7000);
			assertThat(app.send("POST", long7000, "X-Client", "bob").statusCode()).as("with two keys").isEqualTo(429);
			assertThat(app.send("POST", long7000, "X-Client", "ann").statusCode()).as("with one key").isEqualTo(202);
			emptyAll(app);
		}
	}

	@Test
	void aBodyThatAnotherFilterHasReadIsEnqueuedNevertheless() {
		try (App app = warm(
				App.start(RULE.formatted("2s"), Orders.class, Later.class, FormReader.class, BodyCache.class))) {
			order(app, "ann", "a=1", "Content-Type", "application/x-www-form-urlencoded");
			assertThat(order(app, "ann", "a=%20&c=2", "Content-Type", "application/x-www-form-urlencoded").statusCode())
				.isEqualTo(202);
			assertThat(order(app, "ann", "cached", "X-Cached", "yes").statusCode()).isEqualTo(202);
			finish(app);
			assertThat(app.bean(Later.class).done).containsExactly("a=+&c=2", "cached");
		}
	}

	@Test
	@DisplayName("a request that a page of a foreign origin may not send is not handled later either")
	void aRequestThatCorsRefusesIsNotEnqueued() {
		try (App app = warm(App.start(RULE.formatted("2s"), Orders.class, Later.class, OneOrigin.class))) {
			assertThat(order(app, "ann", "one").statusCode()).isEqualTo(200);
			assertThat(order(app, "ann", "two", "Origin", "https://evil.example").statusCode()).isEqualTo(403);
			assertThat(SharedCluster.keys(app.prefix())).noneMatch((key) -> key.contains(":q1"));
			assertThat(order(app, "ann", "three", "Origin", "https://good.example").statusCode()).isEqualTo(202);
			finish(app);
		}
	}

	static class OneOrigin implements WebMvcConfigurer {

		@Override
		public void addCorsMappings(CorsRegistry registry) {
			registry.addMapping("/**").allowedOrigins("https://good.example");
		}

	}

	@Test
	@DisplayName("a body without a declared length whose parts were read is not enqueued as an empty body")
	void partsThatAnotherFilterHasReadAreNotEnqueued() throws IOException, InterruptedException {
		String parts = "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--b--\r\n";
		try (App app = App.start(RULE.formatted("1h"), Orders.class, Later.class, FormReader.class)) {
			order(app, "ann", "one");
			HttpRequest upload = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + app.port() + "/orders"))
				.headers("X-Client", "ann", "Content-Type", "multipart/form-data; boundary=b")
				.POST(BodyPublishers.fromPublisher(BodyPublishers.ofString(parts)))
				.build();
			assertThat(CLIENT.send(upload, BodyHandlers.ofString()).statusCode()).isEqualTo(429);
		}
	}

	/** Reads a form, as a filter does that looks for a token in it. */
	static class FormReader extends OncePerRequestFilter implements Ordered {

		@Override
		protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
				throws ServletException, IOException {
			request.getParameter("token");
			chain.doFilter(request, response);
		}

		@Override
		public int getOrder() {
			return HIGHEST_PRECEDENCE;
		}

	}

	/** Caches bodies to log them, in the way that web pages copy from each other. */
	static class BodyCache extends OncePerRequestFilter implements Ordered {

		@Override
		protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
				throws ServletException, IOException {
			chain.doFilter((request.getHeader("X-Cached") != null) ? new Cached(request) : request, response);
		}

		@Override
		public int getOrder() {
			return HIGHEST_PRECEDENCE;
		}

	}

	private static final class Cached extends HttpServletRequestWrapper {

		private final byte[] body;

		Cached(HttpServletRequest request) throws IOException {
			super(request);
			this.body = request.getInputStream().readAllBytes();
		}

		@Override
		public ServletInputStream getInputStream() {
			InputStream in = new ByteArrayInputStream(this.body);
			return new ServletInputStream() {

				@Override
				public int read() throws IOException {
					return in.read();
				}

				@Override
				public int read(byte[] bytes, int offset, int length) throws IOException {
					return in.read(bytes, offset, length);
				}

				@Override
				public boolean isFinished() {
					throw new UnsupportedOperationException();
				}

				@Override
				public boolean isReady() {
					return true;
				}

				@Override
				public void setReadListener(ReadListener listener) {
					throw new UnsupportedOperationException();
				}

			};
		}

	}

}
