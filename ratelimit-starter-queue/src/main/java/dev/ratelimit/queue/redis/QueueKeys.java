package dev.ratelimit.queue.redis;

import java.nio.charset.StandardCharsets;

import dev.ratelimit.queue.QueuedSubject;

/**
 * The keys of the queue of one rule, all in one slot.
 *
 * @param start the common start of all keys
 */
record QueueKeys(String start) {

	/**
	 * Changes with the format of the stored data, so that different releases running side
	 * by side do not mix.
	 */
	private static final String SCHEMA = "q1:";

	static QueueKeys of(String keyPrefix, String rule) {
		return new QueueKeys(keyPrefix + ":{" + rule + "}:" + SCHEMA);
	}

	/** Sorted set: subject to the time when the first of its items is due. */
	byte[] due() {
		return key("due");
	}

	/** Hash: id of an item to its state. */
	byte[] items() {
		return key("items");
	}

	/** Sorted set: id of an item to the time when it was enqueued. */
	byte[] ages() {
		return key("ages");
	}

	/** Hash: id of an item to the bytes of its fields, and their sum. */
	byte[] sizes() {
		return key("sizes");
	}

	/** The number of bytes that the dead letters take. */
	byte[] deadBytes() {
		return key("dead-bytes");
	}

	/** Stream of dead letters. */
	byte[] dead() {
		return key("dead");
	}

	/** Stream of the items of a subject. */
	byte[] stream(QueuedSubject of) {
		return key("of:" + of.text());
	}

	/** The result of an item that has ended. */
	byte[] ended(String id) {
		return key("end:" + id);
	}

	private byte[] key(String name) {
		return (this.start + name).getBytes(StandardCharsets.UTF_8);
	}

}
