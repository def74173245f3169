package dev.ratelimit.rule.source;

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
 * @param cure what to write instead: a sentence
 */
public record Problem(String property, String value, Optional<Origin> origin, String reason, String cure) {

	static final String MASK = "******";

	private static final int MAX_LENGTH = 200;

	/** The last part of a name whose value is a secret. */
	private static final Pattern SECRET = Pattern.compile("(?i)(secret|password|token|credential)[^.]*$");

	private static final Pattern MEANT_SECRET = Pattern.compile("Did you mean [a-z.-]*(secret|password)\\?");

	private static final Pattern URL_WITH_USER = Pattern.compile("://[^/]*@");

	public Problem {
		property = printable(property);
		value = isSecret(property, value, cure) ? MASK
				: printable((value.length() > MAX_LENGTH) ? value.substring(0, MAX_LENGTH) + "..." : value);
		reason = printable(reason.replaceAll("\\R\\s*", " "));
		cure = printable(cure);
	}

	private static boolean isSecret(String property, String value, String cure) {
		return SECRET.matcher(property).find() || MEANT_SECRET.matcher(cure).find()
				|| URL_WITH_USER.matcher(value).find();
	}

	/** Removes control characters, so that no text of a file can forge lines of a log. */
	private static String printable(String text) {
		return text.replaceAll("[\\p{Cntrl}\\p{Zl}\\p{Zp}]", "?");
	}

	@Override
	public String toString() {
		String place = this.origin.map((origin) -> " (" + origin + ")").orElse("");
		return "%s '%s'%s %s. %s.".formatted(this.property, this.value, place, this.reason, this.cure);
	}

}
