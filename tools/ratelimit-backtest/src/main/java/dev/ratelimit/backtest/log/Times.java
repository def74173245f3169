package dev.ratelimit.backtest.log;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.regex.Pattern;

/**
 * Parses times. Every time has an offset, so the result does not depend on the time zone
 * of this machine, or on daylight saving changes in the log.
 */
final class Times {

	private static final String NO_TIME = "has no time that can be read";

	private static final String MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";

	private static final int COMMON_LENGTH = "10/Oct/2000:13:55:36 -0700".length();

	private static final Pattern NUMBER = Pattern.compile("[0-9]{1,16}(\\.[0-9]{1,9})?");

	private static final BigDecimal FIRST_MILLIS = BigDecimal.TEN.pow(11);

	private static final BigDecimal FIRST_MICROS = BigDecimal.TEN.pow(14);

	/** ISO 8601, with every spelling of the offset. */
	private static final DateTimeFormatter ISO = new DateTimeFormatterBuilder()
		.append(DateTimeFormatter.ISO_LOCAL_DATE_TIME)
		.appendPattern("[XXX][XX][X]")
		.toFormatter();

	private Times() {
	}

	/** {@code 10/Oct/2000:13:55:36 -0700}. */
	static Instant common(String text) {
		int month = (text.length() == COMMON_LENGTH) ? MONTHS.indexOf(text.substring(3, 6)) : -1;
		if (month < 0 || month % 3 != 0 || text.charAt(2) != '/' || text.charAt(6) != '/' || text.charAt(11) != ':'
				|| text.charAt(14) != ':' || text.charAt(17) != ':' || text.charAt(20) != ' ') {
			throw new BrokenLineException(NO_TIME);
		}
		try {
			return LocalDateTime
				.of(digits(text, 7, 11), month / 3 + 1, digits(text, 0, 2), digits(text, 12, 14), digits(text, 15, 17),
						digits(text, 18, 20))
				.toInstant(offset(text.charAt(21), digits(text, 22, 24), digits(text, 24, 26)));
		}
		catch (DateTimeException ex) {
			throw new BrokenLineException(NO_TIME);
		}
	}

	private static ZoneOffset offset(char sign, int hours, int minutes) {
		return switch (sign) {
			case '+' -> ZoneOffset.ofHoursMinutes(hours, minutes);
			case '-' -> ZoneOffset.ofHoursMinutes(-hours, -minutes);
			default -> throw new BrokenLineException(NO_TIME);
		};
	}

	private static int digits(String text, int from, int to) {
		return Texts.digits(text, from, to, NO_TIME);
	}

	/** ISO 8601, the form above with or without brackets, or a number since 1970. */
	static Instant any(String text) {
		if (NUMBER.matcher(text).matches()) {
			return sinceEpoch(new BigDecimal(text));
		}
		if (text.length() > 2 && text.charAt(2) == '/') {
			return common(text);
		}
		if (text.startsWith("[") && text.endsWith("]")) {
			return common(text.substring(1, text.length() - 1));
		}
		try {
			return OffsetDateTime.parse(text.replaceFirst(" (?=[0-9])", "T").replace(" ", ""), ISO).toInstant();
		}
		catch (DateTimeException ex) {
			throw new BrokenLineException(isLocal(text) ? "has a time without its offset" : NO_TIME);
		}
	}

	private static boolean isLocal(String text) {
		try {
			LocalDateTime.parse(text.replaceFirst(" ", "T"));
			return true;
		}
		catch (DateTimeException ex) {
			return false;
		}
	}

	/**
	 * Seconds until the year 5138; larger numbers are milliseconds, then microseconds.
	 */
	private static Instant sinceEpoch(BigDecimal number) {
		int decimals = (number.compareTo(FIRST_MILLIS) < 0) ? 0 : ((number.compareTo(FIRST_MICROS) < 0) ? 3 : 6);
		BigDecimal[] parts = number.movePointLeft(decimals).divideAndRemainder(BigDecimal.ONE);
		return Instant.ofEpochSecond(parts[0].longValue(), parts[1].movePointRight(9).longValue());
	}

}
