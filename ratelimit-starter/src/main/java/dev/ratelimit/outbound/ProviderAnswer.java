package dev.ratelimit.outbound;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;

/**
 * Reads from a response how long its provider wants no further calls. The first of the
 * following that is present and readable is used, because it states when a call can
 * succeed; a reset may be the time when a whole quota is free again:
 * <ul>
 * <li>{@code Retry-After} of a 429 or 503, in seconds or as a date</li>
 * <li>{@code RateLimit} of the IETF draft, if nothing remains ({@code r=0;t=30}), and of
 * its older form ({@code remaining=0, reset=30}): the longest wait</li>
 * <li>{@code X-RateLimit-Reset} or {@code RateLimit-Reset} beside a {@code -Remaining} of
 * 0, in seconds, as seconds since 1970 or as milliseconds since then</li>
 * </ul>
 * Unreadable values are ignored. A provider can pause calls for {@link #LONGEST_PAUSE} at
 * most: after that it is called again, and may repeat the pause.
 *
 * @param clock converts dates to waits
 */
record ProviderAnswer(InstantSource clock) {

	static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);

	/** From this value on, seconds are not a wait but a time since 1970. */
	private static final long SECONDS_OF_2001 = 1_000_000_000L;

	private static final long MILLIS_OF_2001 = SECONDS_OF_2001 * 1000;

	private static final Pattern NUMBER = Pattern.compile("\\s*(\\d{1,15})(\\.\\d*)?\\s*");

	private static final Pattern NOTHING_REMAINS = Pattern.compile("(^|[;,\\s])r=0([;,\\s]|$)");

	private static final Pattern UNTIL = Pattern.compile("(?:^|[;,\\s])t=(\\d{1,15})");

	private static final Pattern OLDER_NOTHING_REMAINS = Pattern.compile("(^|[;,\\s])remaining=0([;,\\s]|$)");

	private static final Pattern OLDER_UNTIL = Pattern.compile("(?:^|[;,\\s])reset=(\\d{1,15})");

	/**
	 * The time without further calls that a response requests.
	 * @param status the status of the response
	 * @param headers its headers
	 * @return the time; empty if the provider requests none
	 */
	Optional<Duration> pause(int status, HttpHeaders headers) {
		Optional<Duration> pause = (status == 429 || status == 503) ? retryAfter(headers) : Optional.empty();
		return pause.or(() -> longest(untilMore(headers)))
			.or(() -> longest(untilReset(headers)))
			.map((longest) -> (longest.compareTo(LONGEST_PAUSE) > 0) ? LONGEST_PAUSE : longest);
	}

	private static Optional<Duration> longest(List<Duration> pauses) {
		return pauses.stream().filter(ProviderAnswer::isAhead).max(Comparator.naturalOrder());
	}

	private static boolean isAhead(Duration pause) {
		return !pause.isNegative() && !pause.isZero();
	}

	private static List<Duration> untilMore(HttpHeaders headers) {
		List<Duration> pauses = new ArrayList<>();
		for (String field : headers.getOrEmpty("RateLimit")) {
			for (String item : field.split(",", -1)) {
				if (NOTHING_REMAINS.matcher(item).find()) {
					find(UNTIL, item).ifPresent(pauses::add);
				}
			}
			if (OLDER_NOTHING_REMAINS.matcher(field.toLowerCase(Locale.ROOT)).find()) {
				find(OLDER_UNTIL, field.toLowerCase(Locale.ROOT)).ifPresent(pauses::add);
			}
		}
		return pauses;
	}

	private List<Duration> untilReset(HttpHeaders headers) {
		List<Duration> pauses = new ArrayList<>();
		for (String prefix : List.of("X-RateLimit-", "RateLimit-")) {
			if (number(headers.getFirst(prefix + "Remaining")).filter((remaining) -> remaining == 0).isPresent()) {
				number(headers.getFirst(prefix + "Reset")).map(this::fromNow).ifPresent(pauses::add);
			}
		}
		return pauses;
	}

	private Optional<Duration> retryAfter(HttpHeaders headers) {
		Optional<Long> seconds = number(headers.getFirst(HttpHeaders.RETRY_AFTER));
		if (seconds.isPresent()) {
			return seconds.map(Duration::ofSeconds).filter(ProviderAnswer::isAhead);
		}
		try {
			long millis = headers.getFirstDate(HttpHeaders.RETRY_AFTER);
			return Optional.of(Duration.ofMillis(millis - this.clock.millis())).filter(ProviderAnswer::isAhead);
		}
		catch (IllegalArgumentException ex) {
			return Optional.empty();
		}
	}

	private Duration fromNow(long number) {
		if (number >= MILLIS_OF_2001) {
			return Duration.ofMillis(number - this.clock.millis());
		}
		return (number >= SECONDS_OF_2001) ? Duration.ofMillis(number * 1000 - this.clock.millis())
				: Duration.ofSeconds(number);
	}

	private static Optional<Duration> find(Pattern pattern, String text) {
		Matcher matcher = pattern.matcher(text);
		return matcher.find() ? Optional.of(Duration.ofSeconds(Long.parseLong(matcher.group(1)))) : Optional.empty();
	}

	/** Fractions are rounded up, so that no call is made too early. */
	private static Optional<Long> number(@Nullable String text) {
		Matcher matcher = NUMBER.matcher((text != null) ? text : "");
		return matcher.matches() ? Optional.of(Long.parseLong(matcher.group(1)) + ((matcher.group(2) != null) ? 1 : 0))
				: Optional.empty();
	}

}
