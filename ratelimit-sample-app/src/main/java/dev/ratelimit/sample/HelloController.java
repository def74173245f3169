package dev.ratelimit.sample;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Three greetings per ten seconds: a limit that a person can reach by hand.
 */
@RestController
class HelloController {

	@GetMapping("/hello")
	Greeting hello() {
		return new Greeting("Hello");
	}

	record Greeting(String message) {
	}

}
