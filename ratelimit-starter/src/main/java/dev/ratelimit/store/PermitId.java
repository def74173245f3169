package dev.ratelimit.store;

/**
 * The name of one request for permits. A log that receives the id of an admission again
 * returns the first result, so a repeated send never counts twice. A counter does not
 * know its permits and counts again, so it may refuse too early but never too late.
 *
 * @param text 1 to 14 characters out of {@code [A-Za-z0-9_-]}, unique over all instances
 * for as long as the longest window
 */
public record PermitId(String text) {

	/** With this length an entry of a Redis sorted set still fits 16 bytes. */
	public static final int MAX_LENGTH = 14;

	public PermitId {
		if (text.isEmpty() || text.length() > MAX_LENGTH) {
			throw new IllegalArgumentException("A permit id has 1 to " + MAX_LENGTH + " characters");
		}
	}

}
