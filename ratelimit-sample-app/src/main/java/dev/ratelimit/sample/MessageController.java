package dev.ratelimit.sample;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimitDecision.Rejected;
import dev.ratelimit.RateLimiter;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/**
 * One message with a risky word per sender and day. The limit depends on the body, which
 * a filter does not read, so the controller asks the rule itself.
 */
@RestController
class MessageController {

	private static final List<String> RISKY = List.of("lottery", "inheritance", "wire transfer");

	private final RateLimiter rateLimiter;

	MessageController(RateLimiter rateLimiter) {
		this.rateLimiter = rateLimiter;
	}

	@PostMapping("/messages")
	ResponseEntity<Message> send(@RequestBody Message message) {
		if (isRisky(message)) {
			RateLimitDecision decision = this.rateLimiter.tryAcquire("risky-message", message.sender());
			if (!decision.isAllowed()) {
				return ResponseEntity.status(HttpStatus.TOO_MANY_REQUESTS)
					.header(HttpHeaders.RETRY_AFTER, Long.toString(seconds(decision)))
					.build();
			}
		}
		return ResponseEntity.accepted().body(message);
	}

	private static boolean isRisky(Message message) {
		String text = message.text().toLowerCase(Locale.ROOT);
		return RISKY.stream().anyMatch(text::contains);
	}

	private static long seconds(RateLimitDecision decision) {
		Duration wait = (decision instanceof Rejected rejected) ? rejected.retryAfter().orElse(Duration.ofDays(1))
				: Duration.ofSeconds(1);
		return wait.plusNanos(999_999_999).toSeconds();
	}

	record Message(String sender, String text) {

		Message {
			Objects.requireNonNull(sender);
			Objects.requireNonNull(text);
		}

	}

}
