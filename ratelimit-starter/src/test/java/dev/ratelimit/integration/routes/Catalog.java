package dev.ratelimit.integration.routes;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;

import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.integration.support.RecordingMemoryStore;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;

/**
 * The application that spellings of requests are tried against. Its handlers report that
 * they ran, in a header of the response and in a list.
 */
@Configuration(proxyBeanMethods = false)
class Catalog {

	/**
	 * Rules for {@link Handlers}, to be formatted with thresholds and trusted proxies.
	 */
	static final String RULES = """
			server.tomcat.max-keep-alive-requests: -1
			ratelimit.trusted-proxies: %2$s
			ratelimit.defaults.algorithm: fixed-window
			ratelimit.rules:
			  products-get: {methods: GET, paths: '/api/products/*', key: 'header:X-Tenant-Id', thresholds: %1$s}
			  products-put: {methods: PUT, paths: '/api/products/*', key: principal, thresholds: %1$s}
			  login: {methods: POST, paths: /login, key: ip, thresholds: %1$s}
			  async: {methods: GET, paths: '/api/async/*', key: 'header:X-Tenant-Id', thresholds: %1$s}
			  dispatches: {methods: GET, paths: [/api/deferred, /api/boom, /api/senderr, /api/inc, /api/fwd], thresholds: %1$s}
			""";

	@Bean
	MovableClock clock() {
		return new MovableClock();
	}

	@Bean
	RecordingMemoryStore rateLimitStore(MovableClock clock) {
		return new RecordingMemoryStore(clock);
	}

	/** Does not log errors of handlers, nor requests that MVC cannot parse or route. */
	@Bean
	SmartInitializingSingleton quiet(LoggingSystem logging) {
		return () -> List.of("org.apache.catalina.core.ContainerBase", "org.springframework.web.servlet")
			.forEach((name) -> logging.setLogLevel(name, LogLevel.OFF));
	}

	@RestController
	static class Handlers {

		private final Queue<String> ran = new ConcurrentLinkedQueue<>();

		/** The handlers that ran since the last call. */
		List<String> takeRan() {
			List<String> taken = new ArrayList<>();
			for (String one = this.ran.poll(); one != null; one = this.ran.poll()) {
				taken.add(one);
			}
			return taken;
		}

		private String run(String handler, HttpServletResponse response) {
			this.ran.add(handler);
			response.addHeader("Ran", handler);
			return handler;
		}

		@GetMapping("/api/products/{id}")
		String get(@PathVariable String id, HttpServletResponse response) {
			return run("get", response);
		}

		@PutMapping("/api/products/{id}")
		String put(@PathVariable String id, HttpServletResponse response) {
			return run("put", response);
		}

		@GetMapping("/api/products")
		String list(HttpServletResponse response) {
			return run("list", response);
		}

		@PostMapping("/login")
		String login(HttpServletResponse response) {
			return run("login", response);
		}

		@GetMapping("/api/async/{id}")
		Callable<String> async(@PathVariable String id, HttpServletResponse response) {
			run("async", response);
			return () -> id;
		}

		@GetMapping("/api/deferred")
		DeferredResult<String> deferred(HttpServletResponse response) {
			DeferredResult<String> result = new DeferredResult<>();
			result.setResult(run("deferred", response));
			return result;
		}

		@GetMapping("/api/boom")
		String boom(HttpServletResponse response) {
			throw new IllegalStateException(run("boom", response));
		}

		@GetMapping("/api/senderr")
		void senderr(HttpServletResponse response) throws IOException {
			run("senderr", response);
			response.sendError(418);
		}

		@GetMapping("/api/fwd")
		void forward(HttpServletRequest request, HttpServletResponse response) throws ServletException, IOException {
			run("fwd", response);
			request.getRequestDispatcher("/api/products/42").forward(request, response);
		}

		@GetMapping("/api/inc")
		void include(HttpServletRequest request, HttpServletResponse response) throws ServletException, IOException {
			run("inc", response);
			request.getRequestDispatcher("/api/products/42").include(request, response);
		}

	}

}
