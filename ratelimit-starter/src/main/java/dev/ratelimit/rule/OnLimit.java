package dev.ratelimit.rule;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
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

		public Delay {
			requireTime("max-wait", maxWait, DurationText.of(maxWait), Duration.ofMillis(1), LONGEST);
			requireCount("max-queue", maxQueue, Integer.toString(maxQueue));
		}

		@Override
		public OnLimitKind kind() {
			return OnLimitKind.DELAY;
		}

		/**
		 * The longest wait as text.
		 * @return for example {@code 500ms}
		 */
		public String maxWaitText() {
			return DurationText.of(this.maxWait);
		}

		/**
		 * Read the longest wait.
		 * @param text a duration with its unit
		 * @return the wait
		 * @throws InvalidRuleException if it is not valid, or out of range
		 */
		public static Duration parseMaxWait(String text) {
			return time("max-wait", text, Duration.ofMillis(1), LONGEST);
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

		private static final String MAX_BYTES = "enqueue.max-bytes";

		private static final int LARGEST_BODY_BYTES = 16 * 1024 * 1024;

		private static final long LARGEST_QUEUE_BYTES = 1L << 40;

		private static final Set<String> CREDENTIALS = Set.of("authorization", "proxy-authorization", "cookie");

		private static final Pattern HEADER = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]+");

		private static final Pattern SIZE = Pattern.compile("(0|[1-9][0-9]{0,8})(B|KB|MB)");

		private static final String BODY_CURE = "Write a size from 0B to %dMB with its unit, such as 64KB"
			.formatted(LARGEST_BODY_BYTES >> 20);

		private static final String BYTES_CURE = "Write a size from %s to %dMB with its unit, such as 16MB"
			.formatted(text(BESIDE_BODY_BYTES), LARGEST_QUEUE_BYTES >> 20);

		public Enqueue {
			headers = headers.stream().map(Enqueue::parseHeader).distinct().toList();
			requireSize("enqueue.max-body", maxBodyBytes, text(maxBodyBytes), 0, LARGEST_BODY_BYTES, BODY_CURE);
			requireSize(MAX_BYTES, maxBytes, text(maxBytes), BESIDE_BODY_BYTES, LARGEST_QUEUE_BYTES, BYTES_CURE);
			requireCount("max-queue", maxQueue, Integer.toString(maxQueue));
			requireCount("enqueue.max-total", maxTotal, Integer.toString(maxTotal));
			requireTime("enqueue.max-age", maxAge, DurationText.of(maxAge), Duration.ofSeconds(1), RLWindow.MAX);
		}

		@Override
		public OnLimitKind kind() {
			return OnLimitKind.ENQUEUE;
		}

		/**
		 * The largest body as text.
		 * @return for example {@code 64KB}
		 */
		public String maxBodyText() {
			return text(this.maxBodyBytes);
		}

		/**
		 * The memory of the store as text.
		 * @return for example {@code 16MB}
		 */
		public String maxBytesText() {
			return text(this.maxBytes);
		}

		private static String text(long bytes) {
			if (bytes == 0 || bytes % 1024 > 0) {
				return bytes + "B";
			}
			long kilobytes = bytes / 1024;
			return (kilobytes % 1024 == 0) ? kilobytes / 1024 + "MB" : kilobytes + "KB";
		}

		/**
		 * The longest age as text.
		 * @return for example {@code 1d}
		 */
		public String maxAgeText() {
			return DurationText.of(this.maxAge);
		}

		/**
		 * Read the name of a header.
		 * @param text the name
		 * @return the name in lower case
		 * @throws InvalidRuleException if it is not valid, or names a credential
		 */
		public static String parseHeader(String text) {
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

		/**
		 * Read the largest body.
		 * @param text a whole number with its unit, B, KB or MB
		 * @return the bytes
		 * @throws InvalidRuleException if it is not valid, or out of range
		 */
		public static int parseMaxBody(String text) {
			return (int) size("enqueue.max-body", text, 0, LARGEST_BODY_BYTES, BODY_CURE);
		}

		/**
		 * Read the memory that the requests of a rule may use in the store.
		 * @param text a whole number with its unit, B, KB or MB
		 * @return the bytes
		 * @throws InvalidRuleException if it is not valid, or out of range
		 */
		public static long parseMaxBytes(String text) {
			return size(MAX_BYTES, text, BESIDE_BODY_BYTES, LARGEST_QUEUE_BYTES, BYTES_CURE);
		}

		private static long size(String property, String text, long smallest, long largest, String cure) {
			Matcher matcher = SIZE.matcher(text);
			if (!matcher.matches()) {
				throw new InvalidRuleException(property, text, "is not a size with its unit", cure);
			}
			long unit = switch (matcher.group(2)) {
				case "KB" -> 1024;
				case "MB" -> 1024 * 1024;
				default -> 1;
			};
			long bytes = Long.parseLong(matcher.group(1)) * unit;
			requireSize(property, bytes, text, smallest, largest, cure);
			return bytes;
		}

		private static void requireSize(String property, long bytes, String text, long smallest, long largest,
				String cure) {
			if (bytes < smallest || bytes > largest) {
				throw new InvalidRuleException(property, text, "is out of range", cure);
			}
		}

		/**
		 * Read the longest age.
		 * @param text a duration with its unit
		 * @return the age
		 * @throws InvalidRuleException if it is not valid, or out of range
		 */
		public static Duration parseMaxAge(String text) {
			return time("enqueue.max-age", text, Duration.ofSeconds(1), RLWindow.MAX);
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

	private static Duration time(String property, String text, Duration shortest, Duration longest) {
		Duration time = DurationText.parse(property, text, timeCure(shortest, longest));
		requireTime(property, time, text, shortest, longest);
		return time;
	}

	private static void requireTime(String property, Duration time, String text, Duration shortest, Duration longest) {
		if (time.compareTo(shortest) < 0 || time.compareTo(longest) > 0 || time.toNanos() % 1_000_000 > 0) {
			throw new InvalidRuleException(property, text, "is out of range", timeCure(shortest, longest));
		}
	}

	private static String timeCure(Duration shortest, Duration longest) {
		return "Write a duration from %s to %s with its unit, such as 500ms, 2s or 1m"
			.formatted(DurationText.of(shortest), DurationText.of(longest));
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
			return name().toLowerCase(Locale.ROOT);
		}

	}

}
