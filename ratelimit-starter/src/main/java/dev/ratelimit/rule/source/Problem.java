package dev.ratelimit.rule.source;

import java.util.Optional;

import org.springframework.boot.origin.Origin;

/**
 * One wrong setting. Its texts have no control characters.
 *
 * @param property the full name of the property, in its canonical spelling
 * @param value the value as it was written, shortened
 * @param origin where it was written, if known
 * @param reason what is wrong: a clause that completes "the value ..."
 * @param cure what to write instead: a sentence
 */
public record Problem(String property, String value, Optional<Origin> origin, String reason, String cure) {

	private static final int MAX_LENGTH = 200;

	public Problem {
		property = printable(property);
		value = printable((value.length() > MAX_LENGTH) ? value.substring(0, MAX_LENGTH) + "..." : value);
		reason = printable(reason.replaceAll("\\s*\\R\\s*", " "));
		cure = printable(cure);
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
