package dev.ratelimit.rule;

/**
 * A rule or a part of it is not valid. The message contains the value, the reason and the
 * cure.
 */
public class InvalidRuleException extends IllegalArgumentException {

	private static final long serialVersionUID = 1L;

	private final String property;

	private final String value;

	private final String reason;

	private final String cure;

	/**
	 * Create the exception.
	 * @param property the key inside the rule, such as {@code thresholds}
	 * @param value the value as it was written
	 * @param reason what is wrong with it
	 * @param cure what to write instead
	 */
	public InvalidRuleException(String property, String value, String reason, String cure) {
		super("%s '%s' %s. %s".formatted(property, value, reason, cure));
		this.property = property;
		this.value = value;
		this.reason = reason;
		this.cure = cure;
	}

	/**
	 * The key inside the rule.
	 * @return for example {@code thresholds}
	 */
	public String property() {
		return this.property;
	}

	/**
	 * The value as it was written.
	 * @return the value
	 */
	public String value() {
		return this.value;
	}

	/**
	 * The reason.
	 * @return a clause that completes "the value ..."
	 */
	public String reason() {
		return this.reason;
	}

	/**
	 * The cure.
	 * @return a sentence
	 */
	public String cure() {
		return this.cure;
	}

}
