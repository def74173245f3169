package dev.ratelimit.integration;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

import dev.ratelimit.integration.KeptRequests.Later;
import dev.ratelimit.integration.KeptRequests.Orders;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.core.Ordered;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.servlet.config.annotation.CorsRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

import static dev.ratelimit.integration.OrdersApp.CLIENT;
import static dev.ratelimit.integration.OrdersApp.RULE;
import static dev.ratelimit.integration.OrdersApp.emptyAll;
import static dev.ratelimit.integration.OrdersApp.finish;
import static dev.ratelimit.integration.OrdersApp.order;
import static dev.ratelimit.integration.OrdersApp.start;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is kept of a request and what is not: bodies, forms, and what pages of other
 * origins ask.
 */
@ExtendWith(SharedCluster.class)
class EnqueueBodiesTests {

	@Test
	void aBodyThatIsTooLargeIsNotKept() {
		try (App app = start("1h")) {
			assertThat(order(app, "ann", "x".repeat(100)).statusCode()).as("goes to the controller").isEqualTo(200);
			assertThat(order(app, "ann", "x".repeat(11)).statusCode()).isEqualTo(413);
			HttpResponse<String> refused = order(app, "ann", "x".repeat(100));
			assertThat(refused.headers().firstValue("Content-Type")).contains("application/problem+json");
			assertThat(order(app, "ann", "x".repeat(10)).statusCode()).isEqualTo(202);
			emptyAll(app);
		}
	}

	@Test
	void aFormThatAnotherFilterHasReadIsKeptAllTheSame() {
		try (App app = App.start(RULE.formatted("1s"), Orders.class, Later.class, FormReader.class)) {
			order(app, "ann", "a=1", "Content-Type", "application/x-www-form-urlencoded");
			assertThat(order(app, "ann", "a=%20&c=2", "Content-Type", "application/x-www-form-urlencoded").statusCode())
				.isEqualTo(202);
			finish(app);
			assertThat(app.bean(Later.class).done).containsExactly("a=+&c=2");
		}
	}

	@Test
	@DisplayName("what a page of a foreign origin may not ask is not done later either")
	void whatTheApplicationDoesNotLetAskIsNotKept() {
		try (App app = App.start(RULE.formatted("1s"), Orders.class, Later.class, OneOrigin.class)) {
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
	@DisplayName("parts that were read, of a body whose length nobody told, are not kept as nothing")
	void partsThatAnotherFilterHasReadAreNotKept() throws IOException, InterruptedException {
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

	/** As a filter does that looks for a token in a form. */
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

}
