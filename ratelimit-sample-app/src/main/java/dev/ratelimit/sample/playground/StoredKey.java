package dev.ratelimit.sample.playground;

import java.util.List;
import java.util.Optional;

/**
 * A key as its node holds it.
 *
 * @param key its name
 * @param address the node that owns its slot
 * @param slot the slot
 * @param content what it holds; absent while the node does not answer
 */
record StoredKey(String key, String address, int slot, Optional<Content> content) {

	/**
	 * What a key holds.
	 *
	 * @param type as Redis calls it: {@code zset}, {@code string}, {@code none}
	 * @param expiresInMillis until it expires; absent where it does not exist
	 * @param entries of a sorted set, the oldest first
	 * @param text of a string; its bytes in hexadecimal where they are no text
	 */
	record Content(String type, Optional<Long> expiresInMillis, List<Entry> entries, Optional<String> text) {
	}

	/**
	 * A permit in a log.
	 *
	 * @param permit its name
	 * @param micros when it was given, in microseconds of Redis' clock
	 */
	record Entry(String permit, long micros) {
	}

}
