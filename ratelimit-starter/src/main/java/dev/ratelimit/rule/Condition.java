package dev.ratelimit.rule;

/**
 * Whether a rule applies to a request. Sealed, so a {@code switch} over it needs no
 * default.
 */
public sealed interface Condition {

	/** The condition of rules that define none. */
	Condition ALWAYS = new Always();

	/** The rule applies to every request that it matches. */
	record Always() implements Condition {

		@Override
		public String toString() {
			return "always";
		}

	}

	/**
	 * A bean of the application decides.
	 *
	 * @param name the name of the bean
	 */
	record BeanCondition(String name) implements Condition {

		public BeanCondition {
			if (name.isEmpty() || !name.equals(name.strip())) {
				throw new InvalidRuleException("when", "bean:" + name, "names no bean",
						"Write bean:NAME, or a condition such as headers['X-Client'] == 'batch'");
			}
		}

		@Override
		public String toString() {
			return "bean:" + this.name;
		}

	}

	/**
	 * An expression over the facts of the request decides.
	 *
	 * @param text the expression in SpEL, which is parsed when the rule is compiled
	 */
	record Expression(String text) implements Condition {

		public Expression {
			if (text.isBlank()) {
				throw new InvalidRuleException("when", text, "is empty",
						"Write bean:NAME, or a condition such as headers['X-Client'] == 'batch'");
			}
		}

		@Override
		public String toString() {
			return this.text;
		}

	}

	/**
	 * Read a condition.
	 * @param text {@code bean:NAME}, or an expression
	 * @return the condition
	 * @throws InvalidRuleException if it is empty or names no bean
	 */
	static Condition valueOf(String text) {
		return text.startsWith("bean:") ? new BeanCondition(text.substring("bean:".length())) : new Expression(text);
	}

}
