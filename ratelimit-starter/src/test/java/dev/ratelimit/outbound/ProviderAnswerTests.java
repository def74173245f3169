package dev.ratelimit.outbound;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.http.HttpHeaders;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The pause that a provider requests by the fields of its response.
 */
class ProviderAnswerTests {

	private static final Instant NOW = Instant.parse("2026-11-20T09:30:20Z");

	private final ProviderAnswer answer = new ProviderAnswer(InstantSource.fixed(NOW));

	@ParameterizedTest
	@CsvSource(delimiter = '|', nullValues = "-", value = { "429 | Retry-After: 30 | PT30S",
			"503 | Retry-After: 30 | PT30S", "200 | Retry-After: 30 | -", "301 | Retry-After: 30 | -",
			"429 | Retry-After: 1.5 | PT2S", "429 | Retry-After: -5 | -", "429 | Retry-After: soon | -",
			"429 | Retry-After: 0 | -", "429 | Retry-After: Fri, 20 Nov 2026 09:30:50 GMT | PT30S",
			"429 | Retry-After: Fri, 20 Nov 2026 09:30:00 GMT | -", "429 | Retry-After: 999999999999999 | PT5M",
			"429 | Retry-After: 99999999999999999999 | -", "200 | RateLimit: \"a\";r=0;t=30 | PT30S",
			"200 | RateLimit: \"a\";r=1;t=30, \"b\";r=0;t=20 | PT20S", "200 | RateLimit: \"a\";r=10;t=30 | -",
			"200 | RateLimit: \"a\";r=0 | -", "200 | RateLimit: limit=100, remaining=0, reset=30 | PT30S",
			"200 | RateLimit: limit=100, remaining=10, reset=30 | -",
			"200 | X-RateLimit-Remaining: 0; X-RateLimit-Reset: 30 | PT30S",
			"200 | X-RateLimit-Remaining: 1; X-RateLimit-Reset: 30 | -",
			"200 | X-RateLimit-Remaining: 0; X-RateLimit-Reset: 1795167050 | PT30S",
			"200 | X-RateLimit-Remaining: 0; X-RateLimit-Reset: 1795167050500 | PT30.5S",
			"200 | X-RateLimit-Remaining: 0; X-RateLimit-Reset: 1795160000 | -",
			"200 | RateLimit-Remaining: 0; RateLimit-Reset: 30 | PT30S",
			"429 | Retry-After: 10; X-RateLimit-Remaining: 0; X-RateLimit-Reset: 30 | PT10S",
			"429 | Retry-After: soon; X-RateLimit-Remaining: 0; X-RateLimit-Reset: 30 | PT30S",
			"429 | Retry-After: 2; RateLimit: \"a\";r=0;t=30 | PT2S",
			"200 | RateLimit: \"a\";r=0;t=1; X-RateLimit-Remaining: 0; X-RateLimit-Reset: 10 | PT1S",
			"200 | RateLimit: \"a\";r=0; X-RateLimit-Remaining: 0; X-RateLimit-Reset: 10 | PT10S", "200 | X: 1 | -" })
	void isRead(int status, String fields, Duration pause) {
		HttpHeaders headers = new HttpHeaders();
		for (String field : fields.split("; (?=[A-Z])", -1)) {
			headers.add(field.substring(0, field.indexOf(':')), field.substring(field.indexOf(':') + 2));
		}
		assertThat(this.answer.pause(status, headers).orElse(null)).isEqualTo(pause);
	}

}
