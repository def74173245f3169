package dev.ratelimit.rule.live;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.rule.RuleSource;

/**
 * One source of rules, and the last valid rules that were read from it.
 */
public final class RuleLayer {

	private final RuleOrigin origin;

	private final String description;

	private final RuleSource source;

	private volatile RuleSet rules = new RuleSet(List.of());

	private volatile Optional<String> failure = Optional.empty();

	/**
	 * Create a layer that has no rules yet.
	 * @param origin the kind of the source
	 * @param description a readable name of the source, such as
	 * {@code file /etc/rules.yml}
	 * @param source reads the rules
	 */
	public RuleLayer(RuleOrigin origin, String description, RuleSource source) {
		this.origin = origin;
		this.description = description;
		this.source = source;
	}

	/**
	 * The kind of the source.
	 * @return the kind
	 */
	public RuleOrigin origin() {
		return this.origin;
	}

	/**
	 * Which source it is.
	 * @return its readable name
	 */
	public String description() {
		return this.description;
	}

	/**
	 * The rules of this source that are in force.
	 * @return the last valid rules
	 */
	public RuleSet rules() {
		return this.rules;
	}

	/**
	 * Why the current content is not in force.
	 * @return what is wrong with it; empty if nothing is
	 */
	public Optional<String> failure() {
		return this.failure;
	}

	/** Read the current content. */
	RuleSet read() {
		return Objects.requireNonNull(this.source.load(), this.description + " answered null");
	}

	void accept(RuleSet rules) {
		this.rules = rules;
		this.failure = Optional.empty();
	}

	/**
	 * Record a failure; returns whether it is new. A pool of connections reports how many
	 * milliseconds it has waited, and how many connections are in use.
	 */
	boolean refuse(String reason) {
		Optional<String> before = this.failure;
		this.failure = Optional.of(reason);
		return !before.map(RuleLayer::withoutFigures).equals(Optional.of(withoutFigures(reason)));
	}

	private static String withoutFigures(String reason) {
		return reason.replaceAll("(?<=after )\\d+ ?ms|[\\d,]+ milliseconds|\\(total=[^)]*\\)", "");
	}

}
