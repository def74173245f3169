package dev.ratelimit.rule;

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

		private static final String CURE = "Write how many permits a request costs, from 1 to the smallest threshold, "
				+ "or bean:NAME";

		private static final ValueRange PERMITS = ValueRange.number("cost", 1, RLThreshold.MAX_THRESHOLD, CURE);

		public Fixed {
			PERMITS.require(permits);
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
				throw new InvalidRuleException("cost", "bean:" + name, "names no bean", Fixed.CURE);
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
		return text.startsWith("bean:") ? new BeanCost(text.substring("bean:".length()))
				: new Fixed(Fixed.PERMITS.parse(text));
	}

}
