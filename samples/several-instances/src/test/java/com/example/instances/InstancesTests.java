package com.example.instances;

import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.RateLimiter;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.web.client.RestClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Needs a Redis, as the instances do: at localhost:6379, or at the port that
 * {@code -Dspring.data.redis.port} names.
 */
class InstancesTests {

	private static ConfigurableApplicationContext start() {
		return SpringApplication.run(InstancesApplication.class, "--server.port=0");
	}

	private static int hello(ConfigurableApplicationContext instance) {
		return RestClient.create()
			.get()
			.uri("http://localhost:{port}/hello", instance.getEnvironment().getProperty("local.server.port"))
			.exchange((request, response) -> response.getStatusCode().value());
	}

	@Test
	void instancesShareOneLimit() {
		try (ConfigurableApplicationContext one = start(); ConfigurableApplicationContext other = start()) {
			one.getBean(RateLimiter.class).reset("hello");
			List<Integer> statuses = new ArrayList<>();
			for (int i = 0; i < 4; i++) {
				statuses.add(hello(one));
				statuses.add(hello(other));
			}
			assertThat(statuses).containsExactly(200, 200, 200, 200, 200, 429, 429, 429);
		}
	}

}
