package dev.ratelimit.rule;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The sizes that a key of a rule may have, in bytes.
 *
 * @param key the key
 * @param smallest the smallest
 * @param largest the largest
 * @param example one of them, as it is written
 */
record SizeRange(String key, long smallest, long largest, String example) {

	private static final Pattern FORM = Pattern.compile("(0|[1-9][0-9]{0,8})(B|KB|MB)");

	/**
	 * Read a size.
	 * @param text a whole number with its unit, B, KB or MB
	 * @return the bytes
	 * @throws InvalidRuleException if it is not valid, or out of range
	 */
	long parse(String text) {
		Matcher matcher = FORM.matcher(text);
		if (!matcher.matches()) {
			throw new InvalidRuleException(this.key, text, "is not a size with its unit", cure());
		}
		long unit = switch (matcher.group(2)) {
			case "KB" -> 1024;
			case "MB" -> 1024 * 1024;
			default -> 1;
		};
		long bytes = Long.parseLong(matcher.group(1)) * unit;
		require(bytes, text);
		return bytes;
	}

	/**
	 * Check a size.
	 * @param bytes the size
	 * @throws InvalidRuleException if it is out of range
	 */
	void require(long bytes) {
		require(bytes, text(bytes));
	}

	private void require(long bytes, String text) {
		if (bytes < this.smallest || bytes > this.largest) {
			throw new InvalidRuleException(this.key, text, "is out of range", cure());
		}
	}

	private String cure() {
		return "Write a size from %s to %s with its unit, such as %s".formatted(text(this.smallest), text(this.largest),
				this.example);
	}

	/**
	 * Write a size in the largest unit that divides it.
	 * @param bytes the size
	 * @return for example {@code 64KB}
	 */
	static String text(long bytes) {
		if (bytes == 0 || bytes % 1024 > 0) {
			return bytes + "B";
		}
		long kilobytes = bytes / 1024;
		return (kilobytes % 1024 == 0) ? kilobytes / 1024 + "MB" : kilobytes + "KB";
	}

}
