package dev.ratelimit.queue;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The stored data of a request, as the fields of an item.
 *
 * @param fields the fields
 */
public record StoredRequest(Map<String, byte[]> fields) {

	private static final String HEADER = "header:";

	public StoredRequest {
		fields = Map.copyOf(fields);
	}

	/**
	 * Convert a request to fields.
	 * @param request the request; its id, rule and attempt are not among the fields
	 * @param plan the plan of the client, if it has one
	 * @param cost how many permits the request costs
	 * @return the fields to store
	 */
	public static StoredRequest of(QueuedRequest request, Optional<String> plan, long cost) {
		Map<String, byte[]> fields = new LinkedHashMap<>();
		fields.put("method", bytes(request.method()));
		fields.put("path", bytes(request.path()));
		request.query().ifPresent((query) -> fields.put("query", bytes(query)));
		request.principal().ifPresent((principal) -> fields.put("principal", bytes(principal)));
		request.headers().forEach((name, values) -> fields.put(HEADER + name, bytes(String.join("\n", values))));
		plan.ifPresent((name) -> fields.put("plan", bytes(name)));
		fields.put("cost", bytes(Long.toString(cost)));
		fields.put("body", request.body());
		return new StoredRequest(fields);
	}

	/** The request that an item was created from. */
	public static QueuedRequest read(LeasedItem item) {
		StoredRequest enqueued = new StoredRequest(item.fields());
		Map<String, List<String>> headers = new LinkedHashMap<>();
		enqueued.fields.keySet()
			.stream()
			.filter((name) -> name.startsWith(HEADER))
			.forEach((name) -> headers.put(name.substring(HEADER.length()),
					List.of(enqueued.text(name).orElseThrow().split("\n", -1))));
		return new QueuedRequest(item.id(), item.subject().rule(), enqueued.text("method").orElse(""),
				enqueued.text("path").orElse(""), enqueued.text("query"), enqueued.text("principal"), headers,
				Objects.requireNonNull(enqueued.fields.getOrDefault("body", new byte[0])), item.attempt(),
				item.enqueuedAt());
	}

	public Optional<String> plan() {
		return text("plan");
	}

	public long cost() {
		return text("cost").map(Long::parseLong).orElse(1L);
	}

	private Optional<String> text(String name) {
		return Optional.ofNullable(this.fields.get(name)).map((bytes) -> new String(bytes, StandardCharsets.UTF_8));
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
