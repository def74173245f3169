package dev.ratelimit.memcached.meta;

import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The version of a server.
 */
record ServerVersion(int major, int minor, int patch) {

	/** The oldest one that was tried. */
	static final ServerVersion OLDEST = new ServerVersion(1, 6, 12);

	private static final Pattern LINE = Pattern.compile("VERSION (\\d{1,6})\\.(\\d{1,6})\\.(\\d{1,6})\\b.*");

	/**
	 * Read the reply to {@code version}.
	 * @param line for example {@code VERSION 1.6.18}
	 * @return the version; empty if the line has another form
	 */
	static Optional<ServerVersion> of(String line) {
		Matcher matcher = LINE.matcher(line);
		return matcher.matches()
				? Optional
					.of(new ServerVersion(number(matcher.group(1)), number(matcher.group(2)), number(matcher.group(3))))
				: Optional.empty();
	}

	private static int number(String digits) {
		return Integer.parseInt(digits);
	}

	boolean isTooOld() {
		return Arrays.compare(numbers(), OLDEST.numbers()) < 0;
	}

	private int[] numbers() {
		return new int[] { this.major, this.minor, this.patch };
	}

	@Override
	public String toString() {
		return this.major + "." + this.minor + "." + this.patch;
	}

}
