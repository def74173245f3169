package dev.ratelimit.rule;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a rule allows somebody. Closed, so that a {@code switch} over it needs no default.
 */
public sealed interface Allowance {

	/** Admitted always, and not counted. */
	Allowance UNLIMITED = new Unlimited();

	/** Refused always, whatever was used. */
	Allowance BLOCKED = new Blocked();

	/**
	 * Read a word that stands in the place of thresholds.
	 * @param text {@code unlimited} or {@code blocked}, in any case, or anything else
	 * @return what the word says; empty if it is none
	 */
	static Optional<Allowance> ofWord(String text) {
		return Stream.of(UNLIMITED, BLOCKED).filter((word) -> word.toString().equalsIgnoreCase(text)).findFirst();
	}

	/**
	 * So many in so long.
	 *
	 * @param thresholds the windows, all of which must hold
	 */
	record Limited(List<RLThreshold> thresholds) implements Allowance {

		public Limited {
			thresholds = List.copyOf(thresholds);
			RuleConstraints.requireThresholds(thresholds);
		}

		/**
		 * The thresholds as they are written in a rule.
		 * @return for example {@code 500/2s, 2000/10s}
		 */
		@Override
		public String toString() {
			return String.join(", ", this.thresholds.stream().map(RLThreshold::toString).toList());
		}

	}

	/** Admitted always, and not counted. */
	record Unlimited() implements Allowance {

		@Override
		public String toString() {
			return "unlimited";
		}

	}

	/** Refused always, whatever was used. */
	record Blocked() implements Allowance {

		@Override
		public String toString() {
			return "blocked";
		}

	}

}
