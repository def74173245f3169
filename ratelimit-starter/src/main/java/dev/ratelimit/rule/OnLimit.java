package dev.ratelimit.rule;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What happens to a request that exceeds its limit. Sealed, so a {@code switch} over its
 * {@linkplain #kind() kind} needs no default.
 */
public sealed interface OnLimit {

	/** What happens for rules that define nothing else. */
	OnLimit REJECT = new Reject();

	/** Delays by at most two seconds, and at most a hundred requests of one client. */
	Delay DELAY = new Delay(Duration.ofSeconds(2), 100);

	/** Keeps the content type, for a day. */
	Enqueue ENQUEUE = new Enqueue(List.of("content-type"), 64 * 1024, 100, 10_000, 16L << 20, Duration.ofDays(1));

	/** The largest bound of a queue. */
	int MAX_QUEUE = 1_000_000;

	/**
	 * Its name.
	 * @return the kind
	 */
	OnLimitKind kind();

	/** It is refused. */
	record Reject() implements OnLimit {

		@Override
		public OnLimitKind kind() {
			return OnLimitKind.REJECT;
		}

	}

	/**
	 * It waits for its turn: first in, first out over all instances.
	 *
	 * @param maxWait the longest wait; a request that would wait longer is refused at
	 * once
	 * @param maxQueue the number of requests of one client that may wait; a leaky bucket
	 * is bounded by its burst instead
	 */
	record Delay(Duration maxWait, int maxQueue) implements OnLimit {

		/** The largest configurable wait. */
		public static final Duration LONGEST = Duration.ofDays(1);

		static final DurationRange MAX_WAIT = DurationRange.ofWait("max-wait", Duration.ofMillis(1), LONGEST);

		public Delay {
			MAX_WAIT.require(maxWait);
			requireCount("max-queue", maxQueue, Integer.toString(maxQueue));
		}

		@Override
		public OnLimitKind kind() {
			return OnLimitKind.DELAY;
		}

		Delay withMaxWait(Duration other) {
			return new Delay(other, this.maxQueue);
		}

		Delay withMaxQueue(int other) {
			return new Delay(this.maxWait, other);
		}

	}

	/**
	 * It is answered at once, and enqueued until the limit has room for it.
	 *
	 * @param headers the stored headers, in lower case
	 * @param maxBodyBytes the largest body
	 * @param maxQueue the largest number of enqueued requests of one client
	 * @param maxTotal the largest number of enqueued requests of the rule
	 * @param maxBytes the most memory that the requests of the rule may use in the store
	 * @param maxAge the longest time it is kept
	 */
	record Enqueue(List<String> headers, int maxBodyBytes, int maxQueue, int maxTotal, long maxBytes,
			Duration maxAge) implements OnLimit {

		/** The space that a request may use in the store besides its body. */
		static final int BESIDE_BODY_BYTES = 16 * 1024;

		static final SizeRange MAX_BODY = new SizeRange("enqueue.max-body", 0, 16 << 20, "64KB");

		static final SizeRange MAX_BYTES = new SizeRange("enqueue.max-bytes", BESIDE_BODY_BYTES, 1L << 40, "16MB");

		static final DurationRange MAX_AGE = DurationRange.ofWait("enqueue.max-age", Duration.ofSeconds(1),
				RLWindow.MAX);

		private static final Set<String> CREDENTIALS = Set.of("authorization", "proxy-authorization", "cookie");

		private static final Pattern HEADER = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]+");

		public Enqueue {
			headers = headers.stream().map(Enqueue::parseHeader).distinct().toList();
			MAX_BODY.require(maxBodyBytes);
			MAX_BYTES.require(maxBytes);
			requireCount("max-queue", maxQueue, Integer.toString(maxQueue));
			requireCount("enqueue.max-total", maxTotal, Integer.toString(maxTotal));
			MAX_AGE.require(maxAge);
		}

		@Override
		public OnLimitKind kind() {
			return OnLimitKind.ENQUEUE;
		}

		Enqueue withHeaders(List<String> other) {
			return new Enqueue(other, this.maxBodyBytes, this.maxQueue, this.maxTotal, this.maxBytes, this.maxAge);
		}

		Enqueue withMaxBody(int other) {
			return new Enqueue(this.headers, other, this.maxQueue, this.maxTotal, this.maxBytes, this.maxAge);
		}

		Enqueue withMaxQueue(int other) {
			return new Enqueue(this.headers, this.maxBodyBytes, other, this.maxTotal, this.maxBytes, this.maxAge);
		}

		Enqueue withMaxTotal(int other) {
			return new Enqueue(this.headers, this.maxBodyBytes, this.maxQueue, other, this.maxBytes, this.maxAge);
		}

		Enqueue withMaxBytes(long other) {
			return new Enqueue(this.headers, this.maxBodyBytes, this.maxQueue, this.maxTotal, other, this.maxAge);
		}

		Enqueue withMaxAge(Duration other) {
			return new Enqueue(this.headers, this.maxBodyBytes, this.maxQueue, this.maxTotal, this.maxBytes, other);
		}

		/**
		 * Read the name of a header.
		 * @param text the name
		 * @return the name in lower case
		 * @throws InvalidRuleException if it is not valid, or names a credential
		 */
		static String parseHeader(String text) {
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

	}

	/**
	 * Read the bound of a queue.
	 * @param property the key of the bound
	 * @param text a whole number of at least 1
	 * @return the bound
	 * @throws InvalidRuleException if it is not valid, or out of range
	 */
	static int parseCount(String property, String text) {
		if (!Pattern.matches("[1-9][0-9]{0,6}", text)) {
			throw invalidCount(property, text);
		}
		requireCount(property, Integer.parseInt(text), text);
		return Integer.parseInt(text);
	}

	private static void requireCount(String property, int count, String text) {
		if (count < 1 || count > MAX_QUEUE) {
			throw invalidCount(property, text);
		}
	}

	private static InvalidRuleException invalidCount(String property, String text) {
		return new InvalidRuleException(property, text, "is not a whole number from 1 to " + MAX_QUEUE,
				"Write plain digits, such as 100");
	}

	/**
	 * The kinds of what happens to a request.
	 */
	enum OnLimitKind {

		/** It is refused. */
		REJECT,

		/** It waits for its turn. */
		DELAY,

		/** It is enqueued. */
		ENQUEUE;

		/**
		 * The algorithms that support it; they must be able to schedule turns ahead.
		 * @return those that such a rule may have
		 */
		public List<Algorithm> algorithms() {
			return (this == DELAY) ? List.of(Algorithm.SLIDING_WINDOW_LOG, Algorithm.LEAKY_BUCKET)
					: List.of(Algorithm.values());
		}

		/**
		 * The kind as it is written in a rule.
		 * @return for example {@code delay}
		 */
		public String text() {
			return Values.text(this);
		}

	}

}
