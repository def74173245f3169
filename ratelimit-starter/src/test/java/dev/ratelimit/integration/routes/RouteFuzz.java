package dev.ratelimit.integration.routes;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.RecordingMemoryStore;
import dev.ratelimit.integration.support.Pipeline;
import dev.ratelimit.integration.support.RequestTargets;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Sends made-up requests and compares what ran with what was decided: a handler that ran
 * was decided by the rule that covers it, no rule counted a request twice, and no client
 * got a second bucket.
 */
final class RouteFuzz {

	private static final int BATCH = 64;

	/** More than any run takes. */
	static final String THRESHOLDS = "999999999/1d";

	private static final Map<String, String> RULES = Map.of("get", "products-get", "put", "products-put", "login",
			"login", "async", "async", "deferred", "dispatches", "senderr", "dispatches", "fwd", "dispatches");

	/** Three tenants, and requests that name none, by the address. */
	private static final int CLIENTS = 4;

	private static final Pattern ITEM = Pattern.compile("\"([a-z-]+)\";");

	private final AppVariant variant;

	private final long seed;

	private final Map<String, Long> decisions = new HashMap<>();

	private final Map<String, Set<String>> subjects = new HashMap<>();

	private long ran;

	RouteFuzz(AppVariant variant, long seed) {
		this.variant = variant;
		this.seed = seed;
	}

	/**
	 * Send so many requests.
	 * @return how many reached a handler
	 */
	long run(int count) throws IOException {
		try (App app = HandlerKinds.start(this.variant)) {
			RequestTargets targets = new RequestTargets(this.seed, plain());
			Pipeline pipeline = new Pipeline(app.port());
			for (int sent = 0; sent < count; sent += BATCH) {
				List<RequestTargets.Request> batch = new ArrayList<>(BATCH);
				while (batch.size() < Math.min(BATCH, count - sent)) {
					batch.add(targets.next());
				}
				List<Optional<Pipeline.Reply>> replies = pipeline.send(batch);
				for (int i = 0; i < batch.size(); i++) {
					if (replies.get(i).isPresent()) {
						compare(batch.get(i), replies.get(i).get());
					}
				}
				compareWithServer(app);
			}
		}
		return this.ran;
	}

	/** The handlers of the catalog, and one of each kind. */
	private List<String> plain() {
		Stream<String> catalog = RequestTargets.PLAIN.stream()
			.map((request) -> request.replace(" ", " " + this.variant.prefix()));
		Stream<String> kinds = Arrays.stream(HandlerKind.values())
			.filter((kind) -> kind.isIn(this.variant))
			.map((kind) -> "GET " + kind.path(this.variant));
		return Stream.concat(catalog, kinds).toList();
	}

	/** Each handler that ran was decided. */
	private void compare(RequestTargets.Request request, Pipeline.Reply reply) {
		List<String> decided = ITEM.matcher(String.join(",", reply.values("ratelimit-policy")))
			.results()
			.map((item) -> item.group(1))
			.toList();
		List<String> handlers = reply.values("ran");
		assertThat(reply.status()).as(about(request)).isNotEqualTo(429);
		assertThat(decided).as(about(request)).doesNotHaveDuplicates();
		for (String handler : handlers) {
			if (RULES.containsKey(handler)) {
				assertThat(decided).as(about(request)).contains(RULES.get(handler));
			}
		}
		Optional<HandlerKind> kind = HandlerKind.of(reply.body().strip());
		kind.ifPresent((ran) -> assertThat(decided).as(about(request)).contains(ran.id()));
		this.ran += (handlers.isEmpty() && kind.isEmpty()) ? 0 : 1;
		decided.forEach((rule) -> this.decisions.merge(rule, 1L, Long::sum));
	}

	/** The store counted what was decided, and each client has one bucket. */
	private void compareWithServer(App app) {
		for (String counted : app.bean(RecordingMemoryStore.class).takeAcquired()) {
			String rule = counted.substring(0, counted.indexOf(' '));
			this.decisions.merge(rule, -1L, Long::sum);
			this.subjects.computeIfAbsent(rule, (any) -> new HashSet<>()).add(counted);
		}
		assertThat(this.decisions.values()).as("seed " + this.seed + ", counted twice or unseen").containsOnly(0L);
		assertThat(this.subjects.values())
			.allSatisfy((clients) -> assertThat(clients).hasSizeLessThanOrEqualTo(CLIENTS));
	}

	private String about(RequestTargets.Request request) {
		return this.variant + ", seed " + this.seed + ": " + request.text();
	}

}
