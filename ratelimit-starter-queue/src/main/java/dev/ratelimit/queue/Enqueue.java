package dev.ratelimit.queue;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Counting;
import dev.ratelimit.rule.CoveredRequests;
import dev.ratelimit.rule.HttpMethods;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.OnLimit;
import dev.ratelimit.rule.OpenChoice;
import dev.ratelimit.rule.RLWindow;
import dev.ratelimit.rule.RuleKey;
import dev.ratelimit.rule.RuleOption;
import dev.ratelimit.rule.RuleValues;
import dev.ratelimit.rule.Stage;
import dev.ratelimit.rule.ValueKind;
import dev.ratelimit.rule.ValueRange;
import org.jspecify.annotations.Nullable;

/**
 * A request that exceeds its limit is answered at once, and enqueued until the limit has
 * room for it.
 *
 * @param headers the stored headers, in lower case
 * @param maxBodyBytes the largest body
 * @param maxQueue the largest number of enqueued requests of one client
 * @param maxTotal the largest number of enqueued requests of the rule
 * @param maxBytes the most memory that the requests of the rule may use in the store
 * @param maxAge the longest time it is kept
 */
public record Enqueue(List<String> headers, int maxBodyBytes, int maxQueue, int maxTotal, long maxBytes,
		Duration maxAge) implements OnLimit {

	/** Keeps the content type, for a day. */
	public static final Enqueue DEFAULT = new Enqueue(List.of("content-type"), 64 * 1024, 100, 10_000, 16L << 20,
			Duration.ofDays(1));

	/** The space that a request may use in the store besides its body. */
	private static final int BESIDE_BODY_BYTES = 16 * 1024;

	public Enqueue {
		headers = headers.stream().map(Key::parseHeader).distinct().toList();
		Key.MAX_BODY.range().require(maxBodyBytes);
		Key.MAX_BYTES.range().require(maxBytes);
		Delay.QUEUE.require(maxQueue);
		Key.MAX_TOTAL.range().require(maxTotal);
		Key.MAX_AGE.range().require(maxAge);
	}

	@Override
	public OpenChoice kind() {
		return EnqueueKind.ENQUEUE;
	}

	@Override
	public boolean isHandledLater() {
		return true;
	}

	@Override
	public List<Algorithm> algorithms() {
		return List.of(Algorithm.values());
	}

	@Override
	public @Nullable Object value(RuleOption option) {
		if (option == RuleKey.MAX_QUEUE) {
			return this.maxQueue;
		}
		return (option instanceof Key key) ? switch (key) {
			case HEADERS -> this.headers;
			case MAX_BODY -> ValueRange.sizeText(this.maxBodyBytes);
			case MAX_TOTAL -> this.maxTotal;
			case MAX_BYTES -> ValueRange.sizeText(this.maxBytes);
			case MAX_AGE -> this.maxAge;
		} : null;
	}

	@Override
	public void requireFit(Counting counting, CoveredRequests requests) {
		if (requests.stage() == Stage.BEFORE_SECURITY) {
			throw doesNotFit("stage before-security, where no user is known",
					"Use stage after-security, or on-limit reject");
		}
		// Requests with other methods are refused, as their clients wait for the
		// response.
		if (!requests.methods().isEmpty() && requests.methods().stream().noneMatch(HttpMethods::isUnsafe)) {
			throw doesNotFit("methods %s, of which it enqueues none: they are safe, or unknown"
				.formatted(String.join(", ", requests.methods())), "Add a method such as POST, or on-limit reject");
		}
		if (this.maxQueue > this.maxTotal) {
			throw new InvalidRuleException("max-queue", Integer.toString(this.maxQueue),
					"is above enqueue.max-total " + this.maxTotal,
					"Use at most " + this.maxTotal + ", or a larger enqueue.max-total");
		}
		if (this.maxBodyBytes + BESIDE_BODY_BYTES > this.maxBytes) {
			throw new InvalidRuleException("enqueue.max-body", ValueRange.sizeText(this.maxBodyBytes),
					"leaves no room in enqueue.max-bytes %s for path, query and headers"
						.formatted(ValueRange.sizeText(this.maxBytes)),
					"Use at least %dKB less, or a larger enqueue.max-bytes".formatted(BESIDE_BODY_BYTES / 1024));
		}
	}

	private static InvalidRuleException doesNotFit(String what, String cure) {
		return new InvalidRuleException("on-limit", "enqueue", "does not go with " + what, cure);
	}

	/** The value of {@code on-limit}. */
	public enum EnqueueKind implements OpenChoice {

		/** It is enqueued. */
		ENQUEUE;

		@Override
		public RuleKey key() {
			return RuleKey.ON_LIMIT;
		}

		@Override
		public String text() {
			return "enqueue";
		}

		@Override
		public List<RuleOption> options() {
			return List.of(RuleKey.MAX_QUEUE, Key.HEADERS, Key.MAX_BODY, Key.MAX_TOTAL, Key.MAX_BYTES, Key.MAX_AGE);
		}

		@Override
		public Enqueue terms(RuleValues values) {
			return new Enqueue(values.get(Key.HEADERS, DEFAULT.headers), values.get(Key.MAX_BODY, DEFAULT.maxBodyBytes),
					values.get(RuleKey.MAX_QUEUE, DEFAULT.maxQueue), values.get(Key.MAX_TOTAL, DEFAULT.maxTotal),
					values.get(Key.MAX_BYTES, DEFAULT.maxBytes), values.get(Key.MAX_AGE, DEFAULT.maxAge));
		}

	}

	/** The keys of rules that enqueue. */
	private enum Key implements RuleOption {

		HEADERS("enqueue.headers",
				"Comma-separated list of the headers that are stored, in rules with on-limit enqueue."),

		MAX_BODY("enqueue.max-body",
				"Largest body of a request that is enqueued, up to 16MB, in rules with on-limit enqueue."),

		MAX_TOTAL("enqueue.max-total", "How many requests of a rule may be enqueued, in rules with on-limit enqueue."),

		MAX_BYTES("enqueue.max-bytes",
				"How much memory of Redis the requests of a rule may take, in rules with on-limit enqueue."),

		MAX_AGE("enqueue.max-age", "How long a request may stay enqueued, 1s to 400d, in rules with on-limit enqueue.");

		private static final Set<String> CREDENTIALS = Set.of("authorization", "proxy-authorization", "cookie");

		private static final Pattern HEADER = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]+");

		private final String text;

		private final String meaning;

		Key(String text, String meaning) {
			this.text = text;
			this.meaning = meaning;
		}

		@Override
		public String text() {
			return this.text;
		}

		@Override
		public ValueKind kind() {
			return (this == HEADERS) ? ValueKind.LIST : ValueKind.TEXT;
		}

		@Override
		public String meaning() {
			return this.meaning;
		}

		@Override
		public Object parse(String value) {
			return switch (this) {
				case HEADERS -> parseHeader(value.strip());
				case MAX_BODY, MAX_TOTAL -> (int) range().parse(value);
				case MAX_BYTES -> range().parse(value);
				case MAX_AGE -> range().parseDuration(value);
			};
		}

		/** Returns the name in lower case; those of credentials are refused. */
		private static String parseHeader(String text) {
			String name = text.toLowerCase(Locale.ROOT);
			if (!HEADER.matcher(text).matches()) {
				throw new InvalidRuleException("enqueue.headers", text, "is not the name of a header",
						"Write names such as content-type, with commas between them");
			}
			if (CREDENTIALS.contains(name)) {
				throw new InvalidRuleException("enqueue.headers", text, "carries credentials, which are never stored",
						"Remove it; the name of the user is stored beside the headers");
			}
			return name;
		}

		private ValueRange range() {
			return switch (this) {
				case HEADERS -> throw new UnsupportedOperationException("Headers are no number");
				case MAX_BODY -> ValueRange.size(this.text, 0, 16 << 20, "64KB");
				case MAX_TOTAL -> ValueRange.count(this.text, MAX_QUEUE);
				case MAX_BYTES -> ValueRange.size(this.text, BESIDE_BODY_BYTES, 1L << 40, "16MB");
				case MAX_AGE -> ValueRange.duration(this.text, Duration.ofSeconds(1), RLWindow.MAX, "500ms, 2s or 1m");
			};
		}

	}

}
