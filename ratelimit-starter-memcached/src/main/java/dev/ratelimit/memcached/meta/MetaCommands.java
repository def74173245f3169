package dev.ratelimit.memcached.meta;

import java.nio.charset.StandardCharsets;

/**
 * The text of one or more meta commands, each with one reply. Not safe for concurrent
 * use.
 */
public final class MetaCommands {

	/** Longer lifetimes are dates, in seconds since 1970. */
	private static final long LONGEST_LIFETIME_SECONDS = 30L * 24 * 60 * 60;

	/** A usual command. */
	private static final int LENGTH = 96;

	private final StringBuilder text = new StringBuilder(LENGTH);

	private int count;

	/**
	 * Add a cost to a count. If there is none, it begins with the cost. The reply is the
	 * new count and how long it lives.
	 * @param key the key
	 * @param lifetimeSeconds how long a new count lives, give or take a second; one of
	 * more than 30 days ends on a date by the clock of the server
	 * @param cost the cost
	 * @param nowSeconds the time, in seconds since 1970
	 */
	public void countUp(String key, long lifetimeSeconds, long cost, long nowSeconds) {
		boolean date = lifetimeSeconds > LONGEST_LIFETIME_SECONDS;
		command("ma ", key).append(" N").append(date ? nowSeconds + lifetimeSeconds : lifetimeSeconds);
		this.text.append(" J").append(cost).append(" D").append(cost).append(" MI v t\r\n");
	}

	/**
	 * Subtract a cost from a count, which ends at zero. The reply is the new count; none
	 * if the count is gone.
	 * @param key the key
	 * @param cost the cost
	 */
	public void countDown(String key, long cost) {
		command("ma ", key).append(" D").append(cost).append(" MD v\r\n");
	}

	/**
	 * Read a count. The reply is the count and how long it lives; none if there is none.
	 * @param key the key
	 */
	public void read(String key) {
		command("mg ", key).append(" v t\r\n");
	}

	/**
	 * Delete a count.
	 * @param key the key
	 */
	public void delete(String key) {
		command("md ", key).append("\r\n");
	}

	/**
	 * Read what the server reports of itself. This is no meta command, but has one reply,
	 * too.
	 */
	public void statistics() {
		this.count++;
		this.text.append("stats\r\n");
	}

	private StringBuilder command(String name, String key) {
		this.count++;
		return this.text.append(name).append(key);
	}

	/** The number of replies. */
	int count() {
		return this.count;
	}

	/** The commands as they are sent. */
	byte[] bytes() {
		return this.text.toString().getBytes(StandardCharsets.UTF_8);
	}

	@Override
	public String toString() {
		return this.text.toString();
	}

}
