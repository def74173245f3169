package dev.ratelimit.integration.routes;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.Pipeline;
import dev.ratelimit.integration.support.RequestTargets;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Sends every spelling of the path of every kind of handler to one application, as a
 * {@code GET} and as a preflight, and compares what ran with what was decided.
 */
final class SpellingTable {

	private static final int BATCH = 64;

	private static final Pattern ITEM = Pattern.compile("\"([a-z-]+)\";");

	private final AppVariant variant;

	private final Map<HandlerKind, Row> rows = new EnumMap<>(HandlerKind.class);

	private final List<String> undecided = new ArrayList<>();

	SpellingTable(AppVariant variant) {
		this.variant = variant;
	}

	/** Fill the table. */
	SpellingTable run() throws IOException {
		try (App app = HandlerKinds.start(this.variant)) {
			String server = (this.variant == AppVariant.JETTY) ? "Jetty" : "Tomcat";
			assertThat(app.server()).startsWith(server);
			Pipeline pipeline = new Pipeline(app.port());
			for (HandlerKind kind : HandlerKind.values()) {
				if (kind.isIn(this.variant)) {
					run(kind, pipeline);
				}
			}
		}
		return this;
	}

	private void run(HandlerKind kind, Pipeline pipeline) throws IOException {
		String path = kind.path(this.variant);
		Set<String> spellings = new LinkedHashSet<>(Spellings.of(path));
		if (!this.variant.prefix().isEmpty() && path.startsWith(this.variant.prefix())) {
			Spellings.of(path.substring(this.variant.prefix().length()))
				.stream()
				.filter((spelling) -> spelling.startsWith("/"))
				.forEach((spelling) -> spellings.add(this.variant.prefix() + spelling));
		}
		List<RequestTargets.Request> requests = new ArrayList<>();
		for (String spelling : spellings) {
			requests.add(request("GET " + spelling, ""));
			requests.add(request("OPTIONS " + spelling,
					"Origin: https://a.example\r\nAccess-Control-Request-Method: GET\r\n"));
		}
		for (int i = 0; i < requests.size(); i += BATCH) {
			List<RequestTargets.Request> batch = requests.subList(i, Math.min(requests.size(), i + BATCH));
			List<Optional<Pipeline.Reply>> replies = pipeline.send(batch);
			for (int j = 0; j < batch.size(); j++) {
				count(kind, batch.get(j), replies.get(j));
			}
		}
	}

	private static RequestTargets.Request request(String line, String headers) {
		return new RequestTargets.Request(line + " HTTP/1.1\r\nHost: localhost\r\n" + headers + "\r\n", false);
	}

	private void count(HandlerKind kind, RequestTargets.Request request, Optional<Pipeline.Reply> reply) {
		Optional<HandlerKind> ran = reply.filter((answer) -> answer.status() == 200)
			.flatMap((answer) -> HandlerKind.of(answer.body().strip()));
		boolean decided = ran.isPresent() && ITEM.matcher(String.join(",", reply.get().values("ratelimit-policy")))
			.results()
			.anyMatch((item) -> item.group(1).equals(ran.get().id()));
		this.rows.merge(kind, new Row(1, ran.isPresent() ? 1 : 0, decided ? 1 : 0), Row::plus);
		if (ran.isPresent() && !decided) {
			this.undecided.add(ran.get() + " by " + request.text().lines().findFirst().orElseThrow());
		}
	}

	/** The requests that a handler answered though no rule over it was decided. */
	List<String> undecided() {
		return this.undecided;
	}

	Map<HandlerKind, Row> rows() {
		return this.rows;
	}

	Row total() {
		return this.rows.values().stream().reduce(new Row(0, 0, 0), Row::plus);
	}

	@Override
	public String toString() {
		StringBuilder text = new StringBuilder();
		this.rows.forEach((kind, row) -> text.append("%s, %s: %s%n".formatted(this.variant, kind.id(), row)));
		return text.append("%s: %s".formatted(this.variant, total())).toString();
	}

	/**
	 * The counts for the spellings of a path.
	 *
	 * @param sent how many were sent
	 * @param ran how many reached a handler
	 * @param decided how many of those were decided by the rule over it
	 */
	record Row(int sent, int ran, int decided) {

		Row plus(Row other) {
			return new Row(this.sent + other.sent, this.ran + other.ran, this.decided + other.decided);
		}

		@Override
		public String toString() {
			return "%d sent, %d reached a handler, undecided %d".formatted(this.sent, this.ran,
					this.ran - this.decided);
		}

	}

}
