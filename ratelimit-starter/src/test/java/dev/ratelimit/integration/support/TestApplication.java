package dev.ratelimit.integration.support;

import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * An application as a user would write it: the starter's auto-configuration, a
 * controller, and nothing else. It counts how often a handler ran. Auto-configurations
 * that no test needs are excluded: with them each of some hundred starts takes half as
 * long again. They are excluded by name, as some tests have no such library.
 */
@SpringBootConfiguration
@EnableAutoConfiguration(excludeName = {
		"org.springframework.boot.micrometer.metrics.autoconfigure.jvm.JvmMetricsAutoConfiguration",
		"org.springframework.boot.micrometer.metrics.autoconfigure.system.SystemMetricsAutoConfiguration",
		"org.springframework.boot.micrometer.metrics.autoconfigure.logging.logback.LogbackMetricsAutoConfiguration",
		"org.springframework.boot.micrometer.metrics.autoconfigure.ssl.SslMetricsAutoConfiguration",
		"org.springframework.boot.micrometer.metrics.autoconfigure.startup.StartupTimeMetricsListenerAutoConfiguration",
		"org.springframework.boot.micrometer.metrics.autoconfigure.task.TaskExecutorMetricsAutoConfiguration",
		"org.springframework.boot.data.redis.autoconfigure.DataRedisReactiveAutoConfiguration",
		"org.springframework.boot.data.redis.autoconfigure.DataRedisRepositoriesAutoConfiguration",
		"org.springframework.boot.data.redis.autoconfigure.health.DataRedisReactiveHealthContributorAutoConfiguration",
		"org.springframework.boot.health.autoconfigure.application.DiskSpaceHealthContributorAutoConfiguration",
		"org.springframework.boot.health.autoconfigure.application.SslHealthContributorAutoConfiguration",
		"org.springframework.boot.http.client.autoconfigure.reactive.ReactiveHttpClientAutoConfiguration",
		"org.springframework.boot.jetty.autoconfigure.servlet.JettyServletWebServerAutoConfiguration" })
public class TestApplication {

	public static void main(String[] args) {
		SpringApplication.run(TestApplication.class, args);
	}

	@RestController
	public static class Products {

		final AtomicInteger handled = new AtomicInteger();

		@GetMapping({ "/v1/organizations/{org}/product/{id}", "/product/{id}", "/product/{id}/x", "/v1/product",
				"/v2/product", "/open" })
		String get() {
			this.handled.incrementAndGet();
			return "read";
		}

		@PutMapping("/v1/organizations/{org}/product/{id}")
		String put(@PathVariable String id) {
			this.handled.incrementAndGet();
			return "written " + id;
		}

		@PostMapping({ "/offers/redeem", "/product/{id}" })
		String post() {
			this.handled.incrementAndGet();
			return "done";
		}

		@DeleteMapping("/product/{id}")
		String delete() {
			this.handled.incrementAndGet();
			return "gone";
		}

		@GetMapping("/async")
		Callable<String> async() {
			this.handled.incrementAndGet();
			return () -> "later";
		}

	}

}
