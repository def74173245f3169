package dev.ratelimit.rule;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * The outcomes of a request that count. A permit is acquired before the handler runs, and
 * released if the status of the response is none of these. It is not released either if
 * the client has chosen the status, as by {@code Range}, after the handler has run, or if
 * the status of a result that could not be written is one of these.
 *
 * @param statuses the statuses that count, at least one range; if they include all
 * statuses, this is {@link #ALWAYS}
 */
public record CountOn(List<Statuses> statuses) {

	/** Every request counts, regardless of its outcome. */
	public static final CountOn ALWAYS = new CountOn(List.of(Statuses.ALL));

	private static final int OK = 200;

	/** A client may ask for a part of a 200, or only whether it has changed. */
	private static final Set<Integer> SHORTENED = Set.of(206, 304);

	public CountOn {
		statuses = List.copyOf(statuses);
		if (statuses.isEmpty()) {
			throw invalid("", "is empty");
		}
		if (statuses.size() > 1 && statuses.contains(Statuses.ALL)) {
			throw invalid(text(statuses), "combines always with other outcomes");
		}
		if (Statuses.ALL.isWithin(statuses)) {
			statuses = List.of(Statuses.ALL);
		}
	}

	/**
	 * Read which outcomes count.
	 * @param text {@code always}, {@code success}, {@code failure} or statuses such as
	 * {@code 402,5xx}
	 * @return which outcomes count
	 * @throws InvalidRuleException if it is none of these
	 */
	public static CountOn valueOf(String text) {
		return new CountOn(Arrays.stream(text.split(",", -1)).map(String::strip).map(Statuses::valueOf).toList());
	}

	/**
	 * Whether every outcome counts, so that no permit is ever released.
	 * @return whether it does
	 */
	public boolean isAlways() {
		return this.statuses.get(0).equals(Statuses.ALL);
	}

	/**
	 * Whether an outcome counts.
	 * @param status the status of the response; 500 for an unhandled exception
	 * @return whether it does; 206 and 304 also count where 200 does
	 */
	public boolean counts(int status) {
		return counts(status, false);
	}

	/**
	 * Whether an outcome counts.
	 * @param status the status of the response; 500 for an unhandled exception
	 * @param refused whether Spring Security refused an authentication, which makes every
	 * status a failure; explicitly listed statuses are still compared
	 * @return whether it does; 206 and 304 also count where 200 does
	 */
	public boolean counts(int status, boolean refused) {
		// Servers send any number that a handler sets, so it is clamped.
		int known = Math.max(Statuses.ALL.from, Math.min(Statuses.ALL.to, status));
		return lists(known, refused) || (SHORTENED.contains(known) && lists(OK, refused));
	}

	private boolean lists(int status, boolean refused) {
		for (Statuses range : this.statuses) {
			if ((refused && range.equals(Statuses.FAILURE))
					|| (range.contains(status) && !(refused && range.equals(Statuses.SUCCESS)))) {
				return true;
			}
		}
		return false;
	}

	@Override
	public String toString() {
		return text(this.statuses);
	}

	private static String text(List<Statuses> statuses) {
		return String.join(", ", statuses.stream().map(Statuses::toString).toList());
	}

	private static InvalidRuleException invalid(String value, String reason) {
		return new InvalidRuleException("count-on", value, reason,
				"Write always, success (below 400), failure (400 and above), or statuses such as 402, 5xx");
	}

	/**
	 * A range of statuses.
	 *
	 * @param from the first
	 * @param to the last
	 */
	public record Statuses(int from, int to) {

		private static final Statuses ALL = new Statuses(100, 999);

		private static final Statuses SUCCESS = new Statuses(100, 399);

		private static final Statuses FAILURE = new Statuses(400, 999);

		private static final Pattern TEXT = Pattern.compile("([1-5])(xx|XX|[0-9]{2})");

		public Statuses {
			if (from < 100 || from > to || to > 999) {
				throw invalid(from + "-" + to, "is no range of statuses");
			}
		}

		/**
		 * Read a range.
		 * @param text {@code always}, {@code success}, {@code failure} in any case, a
		 * status such as {@code 402}, or a class of them such as {@code 5xx}
		 * @return the range
		 * @throws InvalidRuleException if it is none of these
		 */
		public static Statuses valueOf(String text) {
			return switch (text.toLowerCase(Locale.ROOT)) {
				case "always" -> ALL;
				case "success" -> SUCCESS;
				case "failure" -> FAILURE;
				default -> ofDigits(text);
			};
		}

		boolean contains(int status) {
			return status >= this.from && status <= this.to;
		}

		boolean isWithin(List<Statuses> ranges) {
			return IntStream.rangeClosed(this.from, this.to)
				.allMatch((status) -> ranges.stream().anyMatch((range) -> range.contains(status)));
		}

		private static Statuses ofDigits(String text) {
			Matcher matcher = TEXT.matcher(text);
			if (!matcher.matches()) {
				throw invalid(text, "is no outcome");
			}
			int hundreds = Integer.parseInt(matcher.group(1)) * 100;
			if (matcher.group(2).equalsIgnoreCase("xx")) {
				return new Statuses(hundreds, hundreds + 99);
			}
			int status = hundreds + Integer.parseInt(matcher.group(2));
			return new Statuses(status, status);
		}

		@Override
		public String toString() {
			if (equals(ALL)) {
				return "always";
			}
			if (equals(SUCCESS)) {
				return "success";
			}
			if (equals(FAILURE)) {
				return "failure";
			}
			if (this.from % 100 == 0 && this.to == this.from + 99) {
				return this.from / 100 + "xx";
			}
			return (this.from == this.to) ? Integer.toString(this.from) : this.from + "-" + this.to;
		}

	}

}
