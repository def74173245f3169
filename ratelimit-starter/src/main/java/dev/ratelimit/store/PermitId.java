package dev.ratelimit.store;

import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;

/**
 * The name of one request for permits. A log that receives the id of an admission again
 * returns the first result, so a repeated send never counts twice. A counter does not
 * know its permits and counts again, so it may refuse too early but never too late.
 * <p>
 * An id is 1 to 14 characters out of {@code [A-Za-z0-9_-]}, unique over all instances for
 * as long as the longest window. The text of a generated one is made when it is read:
 * most requests need none. Tested by {@code LeasesTests}.
 */
public final class PermitId {

	/** With this length an entry of a Redis sorted set still fits 16 bytes. */
	public static final int MAX_LENGTH = 14;

	private static final byte[] DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-"
		.getBytes(StandardCharsets.ISO_8859_1);

	private static final int INSTANCE_CHARS = 6;

	private final long instance;

	private final long number;

	private final @Nullable String text;

	/**
	 * Create an id of a text.
	 * @param text 1 to 14 characters out of {@code [A-Za-z0-9_-]}
	 */
	public PermitId(String text) {
		if (text.isEmpty() || text.length() > MAX_LENGTH) {
			throw new IllegalArgumentException("A permit id has 1 to " + MAX_LENGTH + " characters");
		}
		this.instance = 0;
		this.number = 0;
		this.text = text;
	}

	/**
	 * Create an id of numbers.
	 * @param instance 36 bits that name this instance
	 * @param number 48 bits that this instance has not used before
	 */
	PermitId(long instance, long number) {
		this.instance = instance;
		this.number = number;
		this.text = null;
	}

	/**
	 * The text of this id.
	 * @return 1 to 14 characters
	 */
	public String text() {
		return (this.text != null) ? this.text : new String(ascii(), StandardCharsets.ISO_8859_1);
	}

	/**
	 * The text of this id as it is sent.
	 * @return 1 to 14 bytes
	 */
	public byte[] ascii() {
		if (this.text != null) {
			return this.text.getBytes(StandardCharsets.US_ASCII);
		}
		byte[] ascii = new byte[MAX_LENGTH];
		encode(this.instance, ascii, 0, INSTANCE_CHARS);
		encode(this.number, ascii, INSTANCE_CHARS, MAX_LENGTH);
		return ascii;
	}

	private static void encode(long value, byte[] target, int from, int to) {
		long rest = value;
		for (int i = to - 1; i >= from; i--) {
			target[i] = DIGITS[(int) (rest & 63)];
			rest >>>= 6;
		}
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof PermitId another && text().equals(another.text());
	}

	@Override
	public int hashCode() {
		return text().hashCode();
	}

	@Override
	public String toString() {
		return text();
	}

}
