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

		static final ValueRange MAX_WAIT = ValueRange.duration("max-wait", Duration.ofMillis(1), LONGEST,
				"500ms, 2s or 1m");

		static final ValueRange QUEUE = ValueRange.count("max-queue", MAX_QUEUE);

		public Delay {
			MAX_WAIT.require(maxWait);
			QUEUE.require(maxQueue);
		}

		@Override
		public OnLimitKind kind() {
			return OnLimitKind.DELAY;
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

		static final ValueRange MAX_BODY = ValueRange.size("enqueue.max-body", 0, 16 << 20, "64KB");

		static final ValueRange MAX_TOTAL = ValueRange.count("enqueue.max-total", MAX_QUEUE);

		static final ValueRange MAX_BYTES = ValueRange.size("enqueue.max-bytes", BESIDE_BODY_BYTES, 1L << 40, "16MB");

		static final ValueRange MAX_AGE = ValueRange.duration("enqueue.max-age", Duration.ofSeconds(1), RLWindow.MAX,
				"500ms, 2s or 1m");

		private static final Set<String> CREDENTIALS = Set.of("authorization", "proxy-authorization", "cookie");

		private static final Pattern HEADER = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]+");

		public Enqueue {
			headers = headers.stream().map(Enqueue::parseHeader).distinct().toList();
			MAX_BODY.require(maxBodyBytes);
			MAX_BYTES.require(maxBytes);
			Delay.QUEUE.require(maxQueue);
			MAX_TOTAL.require(maxTotal);
			MAX_AGE.require(maxAge);
		}

		@Override
		public OnLimitKind kind() {
			return OnLimitKind.ENQUEUE;
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

	}

}
