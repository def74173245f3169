package dev.ratelimit.queue;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A request that was enqueued. All data from the client is untrusted.
 *
 * @param id its id, which the client got too: the same at each attempt, and unique to
 * this request
 * @param rule the rule whose limit was exceeded
 * @param method the method
 * @param path the path within the application, still encoded
 * @param query the query, still encoded
 * @param principal the name of the user that sent it
 * @param headers those that {@code enqueue.headers} names, by their names in lower case
 * @param body the body, empty if there was none
 * @param attempt which attempt this is, from 1
 * @param enqueuedAt when it was enqueued, on the store's clock
 */
@SuppressWarnings("ArrayRecordComponent")
public record QueuedRequest(String id, String rule, String method, String path, Optional<String> query,
		Optional<String> principal, Map<String, List<String>> headers, byte[] body, int attempt, Instant enqueuedAt) {

	public QueuedRequest {
		headers = Map.copyOf(headers);
		body = body.clone();
	}

	/**
	 * The body.
	 * @return a copy of it
	 */
	@Override
	public byte[] body() {
		return this.body.clone();
	}

	/**
	 * The body as a text.
	 * @return the body, read as UTF-8
	 */
	public String text() {
		return new String(this.body, StandardCharsets.UTF_8);
	}

	/**
	 * The first header of a name.
	 * @param name the name in lower case
	 * @return its value
	 */
	public Optional<String> header(String name) {
		return this.headers.getOrDefault(name, List.of()).stream().findFirst();
	}

}
