package dev.ratelimit.store.redis;

import java.util.List;

import dev.ratelimit.rule.Refill;
import dev.ratelimit.store.Limit;

/**
 * What is stored under a key, by the last two characters of the key and the scripts that
 * read and write it. Tested by {@code GoldenKeysTests}.
 */
enum StoredFormat {

	SLIDING_WINDOW_LOG('l', '1', List.of("SlidingWindowLog.lua"), List.of("SlidingWindowLogRelease.lua")),

	SLIDING_WINDOW_COUNTER('c', '2', List.of("CountedWindows.lua", "Share.lua", "SlidingWindowCounter.lua"),
			List.of("ReadText.lua", "StoreOrForget.lua", "CountedWindowsRelease.lua",
					"SlidingWindowCounterRelease.lua")),

	FIXED_WINDOW('f', '2', List.of("CountedWindows.lua", "FixedWindow.lua"),
			List.of("ReadText.lua", "StoreOrForget.lua", "CountedWindowsRelease.lua", "FixedWindowRelease.lua")),

	TOKEN_BUCKET('t', '2', List.of("Flow.lua", "FlowingBucket.lua"),
			List.of("ReadText.lua", "StoreOrForget.lua", "Flow.lua", "FlowingBucketRelease.lua")),

	INTERVAL_BUCKET('i', '2', List.of("ReadText.lua", "IntervalBucket.lua"),
			List.of("ReadText.lua", "StoreOrForget.lua", "IntervalBucketRelease.lua")),

	LEAKY_BUCKET('b', '2', TOKEN_BUCKET.decision, TOKEN_BUCKET.release),

	/** Fixed windows whose limit several data centres share. */
	POOLED_WINDOW('e', '1', List.of("ReadText.lua", "PooledWindows.lua", "PooledWindow.lua"),
			List.of("ReadText.lua", "PooledWindows.lua", "PooledWindowRelease.lua"));

	private final char letter;

	private final char version;

	@SuppressWarnings("ImmutableEnumChecker")
	private final List<String> decision;

	@SuppressWarnings("ImmutableEnumChecker")
	private final List<String> release;

	StoredFormat(char letter, char version, List<String> decision, List<String> release) {
		this.letter = letter;
		this.version = version;
		this.decision = decision;
		this.release = release;
	}

	/**
	 * The format of a limit that data centres do not share. Buckets that are refilled by
	 * interval have another one than those that flow.
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

	byte letter() {
		return (byte) this.letter;
	}

	/**
	 * Changes with the format, so that two releases running side by side do not mix their
	 * values.
	 */
	byte version() {
		return (byte) this.version;
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
