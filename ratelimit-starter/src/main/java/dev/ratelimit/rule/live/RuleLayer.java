package dev.ratelimit.rule.live;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.rule.RuleSource;

/**
 * One place that rules come from, and the last good rules that were read there.
 */
public final class RuleLayer {

	private final RuleOrigin origin;

	private final String description;

	private final RuleSource source;

	private volatile RuleSet rules = new RuleSet(List.of());

	private volatile Optional<String> failure = Optional.empty();

	/**
	 * Create a layer that has no rules yet.
	 * @param origin what kind of place it is
	 * @param description which place, for people, such as {@code file /etc/rules.yml}
	 * @param source reads the rules
	 */
	public RuleLayer(RuleOrigin origin, String description, RuleSource source) {
		this.origin = origin;
		this.description = description;
		this.source = source;
	}

	/**
	 * What kind of place it is.
	 * @return the kind
	 */
	public RuleOrigin origin() {
		return this.origin;
	}

	/**
	 * Which place it is.
	 * @return its name, for people
	 */
	public String description() {
		return this.description;
	}

	/**
	 * What counts of this place.
	 * @return the last good rules
	 */
	public RuleSet rules() {
		return this.rules;
	}

	/**
	 * Why what stands there now does not count.
	 * @return what is wrong with it; empty if nothing is
	 */
	public Optional<String> failure() {
		return this.failure;
	}

	/** Read what stands there now. */
	RuleSet read() {
		return Objects.requireNonNull(this.source.load(), this.description + " answered null");
	}

	void accept(RuleSet rules) {
		this.rules = rules;
		this.failure = Optional.empty();
	}

	/** Whether this is news. */
	boolean refuse(String reason) {
		Optional<String> before = this.failure;
		this.failure = Optional.of(reason);
		return !this.failure.equals(before);
	}

}
