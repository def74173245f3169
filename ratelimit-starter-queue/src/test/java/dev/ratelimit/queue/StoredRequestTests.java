package dev.ratelimit.queue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A request is read as it was stored.
 */
class StoredRequestTests {

	@Test
	void allPartsOfARequestAreStored() {
		QueuedRequest request = new QueuedRequest("id", "orders", "POST", "/orders", Optional.of("a=b&c="),
				Optional.of("ann"), Map.of("x-empty", List.of(""), "x-two", List.of("", "b", "")),
				"text".getBytes(StandardCharsets.UTF_8), 3, Instant.EPOCH);
		Map<String, byte[]> fields = StoredRequest.of(request, Optional.of("gold"), 2).fields();
		QueuedRequest read = StoredRequest.read(new LeasedItem(new QueuedSubject("orders", "s"), "id", "token", 3,
				Duration.ZERO, Instant.EPOCH, fields));
		assertThat(read).usingRecursiveComparison().isEqualTo(request);
		assertThat(read.headers()).isEqualTo(request.headers());
	}

}
