package dev.ratelimit.store.redis;

import java.util.List;

import dev.ratelimit.rule.Refill;
import dev.ratelimit.store.Limit;

/**
 * What is stored under a key, by the last two characters of the key and the scripts that
 * read and write it. Tested by {@code GoldenKeysTests}.
 */
enum StoredFormat {

	SLIDING_WINDOW_LOG("l1", List.of("SlidingWindowLog.lua"), List.of("SlidingWindowLogRelease.lua")),

	SLIDING_WINDOW_COUNTER("c2", List.of("CountedWindows.lua", "Share.lua", "SlidingWindowCounter.lua"),
			List.of("ReadText.lua", "StoreOrForget.lua", "CountedWindowsRelease.lua",
					"SlidingWindowCounterRelease.lua")),

	FIXED_WINDOW("f2", List.of("CountedWindows.lua", "FixedWindow.lua"),
			List.of("ReadText.lua", "StoreOrForget.lua", "CountedWindowsRelease.lua", "FixedWindowRelease.lua")),

	TOKEN_BUCKET("t2", List.of("Flow.lua", "FlowingBucket.lua"),
			List.of("ReadText.lua", "StoreOrForget.lua", "Flow.lua", "FlowingBucketRelease.lua")),

	INTERVAL_BUCKET("i2", List.of("ReadText.lua", "IntervalBucket.lua"),
			List.of("ReadText.lua", "StoreOrForget.lua", "IntervalBucketRelease.lua")),

	LEAKY_BUCKET("b2", TOKEN_BUCKET.decision, TOKEN_BUCKET.release);

	private final String text;

	@SuppressWarnings("ImmutableEnumChecker")
	private final List<String> decision;

	@SuppressWarnings("ImmutableEnumChecker")
	private final List<String> release;

	StoredFormat(String text, List<String> decision, List<String> release) {
		this.text = text;
		this.decision = decision;
		this.release = release;
	}

	/**
	 * The format of a limit that no module counts. Buckets that are refilled by interval
	 * have another one than those that flow.
	 */
	static StoredFormat of(Limit limit) {
		return switch (limit.algorithm()) {
			case SLIDING_WINDOW_LOG -> SLIDING_WINDOW_LOG;
			case SLIDING_WINDOW_COUNTER -> SLIDING_WINDOW_COUNTER;
			case FIXED_WINDOW -> FIXED_WINDOW;
			case TOKEN_BUCKET -> (limit.refill() == Refill.INTERVAL) ? INTERVAL_BUCKET : TOKEN_BUCKET;
			case LEAKY_BUCKET -> LEAKY_BUCKET;
		};
	}

	/**
	 * The last two characters of a key: a letter, and a version that changes with the
	 * format, so that two releases running side by side do not mix their values.
	 */
	String text() {
		return this.text;
	}

	/** The files that declare {@code read}, {@code judge} and {@code write}. */
	List<String> decision() {
		return this.decision;
	}

	/** The files of the script that releases permits. */
	List<String> release() {
		return this.release;
	}

}
