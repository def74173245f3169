package dev.ratelimit.rule;

import java.util.List;
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

	private static final List<String> UNITS = List.of("B", "KB", "MB", "GB");

	private static final Pattern FORM = Pattern.compile("(0|[1-9][0-9]{0,8})(" + String.join("|", UNITS) + ")");

	/**
	 * Read a size.
	 * @param text a whole number with its unit, B, KB, MB or GB
	 * @return the bytes
	 * @throws InvalidRuleException if it is not valid, or out of range
	 */
	long parse(String text) {
		Matcher matcher = FORM.matcher(text);
		if (!matcher.matches()) {
			throw new InvalidRuleException(this.key, text, "is not a size with its unit", cure());
		}
		long bytes = Long.parseLong(matcher.group(1)) << (10 * UNITS.indexOf(matcher.group(2)));
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
		long number = bytes;
		int unit = 0;
		while (number > 0 && number % 1024 == 0 && unit < UNITS.size() - 1) {
			number /= 1024;
			unit++;
		}
		return number + UNITS.get(unit);
	}

}
