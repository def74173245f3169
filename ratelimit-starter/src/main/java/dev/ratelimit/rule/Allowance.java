package dev.ratelimit.rule;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a rule allows a client. Sealed, so a {@code switch} over it needs no default.
 */
public sealed interface Allowance {

	/** Always admitted, and not counted. */
	Allowance UNLIMITED = new Unlimited();

	/** Always refused, regardless of usage. */
	Allowance BLOCKED = new Blocked();

	/**
	 * Read a word that replaces thresholds.
	 * @param text {@code unlimited} or {@code blocked}, in any case, or anything else
	 * @return the allowance of the word; empty if it is neither
	 */
	static Optional<Allowance> ofWord(String text) {
		return Stream.of(UNLIMITED, BLOCKED).filter((word) -> word.toString().equalsIgnoreCase(text)).findFirst();
	}

	/**
	 * Limited by thresholds.
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

	/** Always admitted, and not counted. */
	record Unlimited() implements Allowance {

		@Override
		public String toString() {
			return "unlimited";
		}

	}

	/** Always refused, regardless of usage. */
	record Blocked() implements Allowance {

		@Override
		public String toString() {
			return "blocked";
		}

	}

}
