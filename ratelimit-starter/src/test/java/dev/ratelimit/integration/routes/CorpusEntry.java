package dev.ratelimit.integration.routes;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * A request as an attacker or an odd client would write it, and the right answer to it. A
 * text may hold <code>{n}</code>, a number that rises, and <code>{repeat:x:3}</code>.
 *
 * @param id its id in the list it comes from
 * @param variant how the application is set up
 * @param line the request line
 * @param headers the header lines
 * @param body the body, if there is one
 * @param expect the kind of the right answer
 * @param rule the rule that counts it
 * @param rules the rules that count it, in that order, where there are several
 * @param handler the handler that runs
 * @param like the plain request whose bucket it shares
 * @param from the header lines of other clients, one for each
 * @param status the possible statuses of the answer, where no handler is reached
 * @param firewalled whether Spring Security's firewall rejects it
 * @param says what the message of a refused start contains
 * @param why what it is meant to break
 */
record CorpusEntry(String id, AppVariant variant, String line, List<String> headers, @Nullable String body,
		Expect expect, @Nullable String rule, @Nullable List<String> rules, @Nullable String handler,
		@Nullable Plain like, @Nullable List<String> from, @Nullable List<Integer> status, @Nullable Boolean firewalled,
		@Nullable String says, String why) {

	private static final Pattern REPEAT = Pattern.compile("\\{repeat:(.):(\\d+)}");

	/** The entries of a variant. */
	static Stream<CorpusEntry> of(AppVariant variant) {
		try (InputStream lines = CorpusEntry.class.getResourceAsStream("bypass-corpus.jsonl")) {
			JsonMapper mapper = JsonMapper.builder().build();
			return new String(Objects.requireNonNull(lines).readAllBytes(), StandardCharsets.UTF_8).lines()
				.map((line) -> mapper.readValue(line, CorpusEntry.class))
				.filter((entry) -> entry.variant() == variant);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	boolean isFirewalled() {
		return Boolean.TRUE.equals(this.firewalled);
	}

	/** The bytes of the request, the number-th time. */
	String request(int number) {
		String content = (this.body != null) ? this.body : "";
		return request(this.line, this.headers, content).replace("{n}", Integer.toString(number));
	}

	static String request(String line, List<String> headers, String body) {
		if (!line.contains(" HTTP/")) {
			return line + "\r\n";
		}
		StringBuilder request = new StringBuilder(line).append("\r\nHost: localhost\r\n");
		headers.forEach((header) -> request.append(header).append("\r\n"));
		if (headers.stream().noneMatch((header) -> header.startsWith("Connection:"))) {
			request.append("Connection: close\r\n");
		}
		if (!body.isEmpty()) {
			request.append("Content-Length: ").append(body.length()).append("\r\n");
		}
		String text = request.append("\r\n").append(body).toString();
		return REPEAT.matcher(text).replaceAll((repeat) -> repeat.group(1).repeat(Integer.parseInt(repeat.group(2))));
	}

	@Override
	public String toString() {
		return this.id + " " + this.why;
	}

	/** A request in its plain spelling. */
	record Plain(String line, List<String> headers) {

		String request() {
			return CorpusEntry.request(this.line, this.headers, "");
		}

	}

	/** The kinds of right answers. */
	enum Expect {

		/**
		 * Its handler runs, and its rule counts it in the bucket of the plain request.
		 */
		COUNTED,

		/** Its handler runs, and its rule counts it in a bucket of its own. */
		COUNTED_APART,

		/** Its handler runs, and each of its rules counts it once. */
		ONCE,

		/** It reaches no handler. */
		UNREACHED,

		/** It is answered, and no rule counts it. */
		FREE,

		/** The application does not start with rules that could not hold against it. */
		START_REFUSED

	}

}
