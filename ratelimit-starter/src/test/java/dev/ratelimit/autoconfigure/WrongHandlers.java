package dev.ratelimit.autoconfigure;

import dev.ratelimit.RateLimited;

import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Controllers whose annotations cannot be enforced.
 */
final class WrongHandlers {

	private WrongHandlers() {
	}

	/** Of messages, as of a WebSocket. */
	@Controller
	@RateLimited("known")
	static class NoHandlers {

		public void call() {
		}

	}

	@RestController
	static class UnknownRuleOfHandler {

		@GetMapping("/")
		@RateLimited("nope")
		public void call() {
		}

	}

	@RestController
	static class ArgumentOfHandler {

		@GetMapping("/")
		@RateLimited(thresholds = "1/1h", key = "arg:id")
		public void call(String id) {
		}

	}

	@RestController
	static class ArgumentRuleOfHandler {

		@GetMapping("/")
		@RateLimited("by-argument")
		public void call(String id) {
		}

	}

	@RestController
	static class ExpressionOfHandler {

		@GetMapping("/")
		@RateLimited(value = "known", when = "#id == 'a'")
		public void call(String id) {
		}

	}

	@RestController
	static class VariableOfHandler {

		@GetMapping({ "/", "/{id}" })
		@RateLimited(thresholds = "1/1h", key = "path:id")
		public void call() {
		}

	}

	@RestController
	static class FallbackOfHandler {

		@GetMapping("/")
		@RateLimited(value = "known", fallbackMethod = "call")
		public void call() {
		}

	}

	@RestController
	static class KeyOfNamedRule {

		@GetMapping("/")
		@RateLimited(value = "known", key = "header:X-Tenant")
		public void call() {
		}

	}

	@RestController
	static class NoHandler {

		@RateLimited("known")
		public void call() {
		}

	}

}
