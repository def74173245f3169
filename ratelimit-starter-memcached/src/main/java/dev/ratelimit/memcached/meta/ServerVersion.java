package dev.ratelimit.memcached.meta;

import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The version of a server.
 */
record ServerVersion(int major, int minor, int patch) implements Comparable<ServerVersion> {

	/** The oldest one that was tried. */
	static final ServerVersion OLDEST = new ServerVersion(1, 6, 12);

	private static final Pattern LINE = Pattern.compile("VERSION (\\d{1,6})\\.(\\d{1,6})\\.(\\d{1,6})\\b.*");

	private static final Comparator<ServerVersion> ORDER = Comparator.comparingInt(ServerVersion::major)
		.thenComparingInt(ServerVersion::minor)
		.thenComparingInt(ServerVersion::patch);

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
		return compareTo(OLDEST) < 0;
	}

	@Override
	public int compareTo(ServerVersion other) {
		return ORDER.compare(this, other);
	}

	@Override
	public String toString() {
		return this.major + "." + this.minor + "." + this.patch;
	}

}
