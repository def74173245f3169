package dev.ratelimit.integration.outage;

import dev.ratelimit.integration.support.TestApplication;

import org.springframework.boot.SpringApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * The test application with a handler that computes, so that many requests at once occupy
 * all processors.
 */
@RestController
class StarvedApp {

	private static final int STEPS = 2_000_000;

	public static void main(String[] args) {
		SpringApplication.run(new Class<?>[] { TestApplication.class, StarvedApp.class }, args);
	}

	@GetMapping("/compute")
	String compute() {
		long value = 1;
		for (int i = 0; i < STEPS; i++) {
			value = value * 6364136223846793005L + 1442695040888963407L;
		}
		return Long.toString(value);
	}

}
