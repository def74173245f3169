package dev.ratelimit.rule;

import java.util.regex.Pattern;

/**
 * How many permits one request costs. Sealed, so a {@code switch} over it needs no
 * default.
 */
public sealed interface Cost {

	/** The cost of a request unless its rule defines another. */
	Cost ONE = new Fixed(1);

	/**
	 * The same cost for every request.
	 *
	 * @param permits the number of permits; at least 1
	 */
	record Fixed(long permits) implements Cost {

		public Fixed {
			if (permits < 1 || permits > RLThreshold.MAX_THRESHOLD) {
				throw invalid(Long.toString(permits), "is out of range");
			}
		}

		@Override
		public String toString() {
			return Long.toString(this.permits);
		}

	}

	/**
	 * The cost that a bean of the application computes from each request.
	 *
	 * @param name the name of the bean
	 */
	record BeanCost(String name) implements Cost {

		public BeanCost {
			if (name.isEmpty() || !name.equals(name.strip())) {
				throw invalid("bean:" + name, "names no bean");
			}
		}

		@Override
		public String toString() {
			return "bean:" + this.name;
		}

	}

	/**
	 * Read a cost.
	 * @param text a whole number of at least 1, or {@code bean:NAME}
	 * @return the cost
	 * @throws InvalidRuleException if it is neither
	 */
	static Cost valueOf(String text) {
		if (text.startsWith("bean:")) {
			return new BeanCost(text.substring("bean:".length()));
		}
		if (!Pattern.matches("[1-9][0-9]*", text)) {
			throw invalid(text, "is not a whole number of at least 1");
		}
		if (text.length() > Long.toString(RLThreshold.MAX_THRESHOLD).length()) {
			throw invalid(text, "is out of range");
		}
		return new Fixed(Long.parseLong(text));
	}

	private static InvalidRuleException invalid(String value, String reason) {
		return new InvalidRuleException("cost", value, reason,
				"Write how many permits a request costs, from 1 to the smallest threshold, or bean:NAME");
	}

}
