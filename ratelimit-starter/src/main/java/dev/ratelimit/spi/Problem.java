package dev.ratelimit.spi;

import java.util.Optional;
import java.util.regex.Pattern;

import org.springframework.boot.origin.Origin;

/**
 * One wrong setting. Its texts have no control characters.
 *
 * @param property the full name of the property, in its canonical spelling
 * @param value the value as it was written, shortened, and masked if it may be a secret
 * @param origin where it was written, if known
 * @param reason what is wrong: a clause that completes "the value ..."
 * @param cure what to write instead: a sentence with its full stop
 */
public record Problem(String property, String value, Optional<Origin> origin, String reason, String cure) {

	/** Stands in place of a secret. */
	public static final String MASK = "******";

	private static final int MAX_LENGTH = 200;

	/** A part of a name whose value is a secret. */
	private static final Pattern SECRET = Pattern.compile("(?i)secret|password|token|credential");

	/** The names that users choose: those of rules, plans, clients and data centres. */
	private static final Pattern CHOSEN = Pattern
		.compile("(?i)^ratelimit\\.(rules|clients|datacenter\\.peers)\\.[^.\\[]*(\\.plans\\.[^.\\[]*)?");

	private static final Pattern MEANT_SECRET = Pattern.compile("Did you mean [a-z.-]*(secret|password)\\?");

	public Problem {
		property = printable(property);
		value = isSecret(property, value, cure) ? MASK
				: printable((value.length() > MAX_LENGTH) ? value.substring(0, MAX_LENGTH) + "..." : value);
		reason = printable(reason.replaceAll("\\R\\s*", " "));
		cure = printable(cure.endsWith("?") ? cure : cure + ".");
	}

	private static boolean isSecret(String property, String value, String cure) {
		return !value.isBlank() && (SECRET.matcher(CHOSEN.matcher(property).replaceFirst("")).find()
				|| MEANT_SECRET.matcher(cure).find() || isUrlWithUser(value));
	}

	private static boolean isUrlWithUser(String value) {
		int host = value.indexOf("://");
		return host >= 0 && value.indexOf('@', host) >= 0;
	}

	/** Removes control characters, so that no text of a file can forge lines of a log. */
	private static String printable(String text) {
		return text.replaceAll("[\\p{Cntrl}\\p{Zl}\\p{Zp}]", "?");
	}

	@Override
	public String toString() {
		String place = this.origin.map((origin) -> " (" + origin + ")").orElse("");
		return "%s '%s'%s %s. %s".formatted(this.property, this.value, place, this.reason, this.cure);
	}

}
