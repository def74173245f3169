package dev.ratelimit.spi;

/**
 * There are rules that this application cannot enforce. At the start it stops the
 * application, with its reason and its cure; rules that come later do not come into
 * force.
 */
public class RulesNotEnforceableException extends IllegalStateException {

	private static final long serialVersionUID = 1L;

	private final String summary;

	private final String reason;

	private final String cure;

	/**
	 * Create the exception.
	 * @param reason why they cannot be enforced: a sentence without its full stop
	 * @param cure what to do: a sentence without its full stop
	 */
	public RulesNotEnforceableException(String reason, String cure) {
		this("There are rate limit rules, but they cannot be enforced", reason, cure);
	}

	/**
	 * Create the exception for an application that may have no rules.
	 * @param summary what is wrong: a sentence without its full stop
	 * @param reason why: a sentence without its full stop
	 * @param cure what to do: a sentence without its full stop
	 */
	public RulesNotEnforceableException(String summary, String reason, String cure) {
		super(summary + ". " + reason + ". " + cure + ".");
		this.summary = summary;
		this.reason = reason;
		this.cure = cure;
	}

	/**
	 * What is wrong.
	 * @return a sentence without its full stop
	 */
	public String summary() {
		return this.summary;
	}

	/**
	 * The reason why the rules cannot be enforced.
	 * @return a sentence without its full stop
	 */
	public String reason() {
		return this.reason;
	}

	/**
	 * The cure.
	 * @return a sentence without its full stop
	 */
	public String cure() {
		return this.cure;
	}

}
