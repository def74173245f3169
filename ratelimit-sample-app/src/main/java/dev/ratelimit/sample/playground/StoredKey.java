package dev.ratelimit.sample.playground;

import java.util.List;
import java.util.Optional;

/**
 * A key as its node stores it.
 *
 * @param key its name
 * @param address the node that owns its slot
 * @param slot the slot
 * @param content the stored value; absent while the node does not respond
 */
record StoredKey(String key, String address, int slot, Optional<Content> content) {

	/**
	 * The stored value of a key.
	 *
	 * @param type the name of the type in Redis: {@code zset}, {@code string},
	 * {@code none}
	 * @param expiresInMillis the time until the key expires; absent if the key does not
	 * exist
	 * @param entries the entries of a sorted set, the oldest first
	 * @param text the text of a string; in hexadecimal if its bytes are not text
	 */
	record Content(String type, Optional<Long> expiresInMillis, List<Entry> entries, Optional<String> text) {
	}

	/**
	 * A permit in a log.
	 *
	 * @param permit its name
	 * @param micros when it was granted, in microseconds of Redis' clock
	 */
	record Entry(String permit, long micros) {
	}

}
