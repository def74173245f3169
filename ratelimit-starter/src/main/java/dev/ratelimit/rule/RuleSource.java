package dev.ratelimit.rule;

/**
 * A source of rules. A bean of this type adds its rules to those of the configuration,
 * and each of its rules replaces every other rule with the same id. The source is read
 * when the application starts, and again every {@code ratelimit.rule-source.refresh} on a
 * background thread; the rules that it then returns come into force with the next
 * request. While it does not return, no source is read again.
 */
@FunctionalInterface
public interface RuleSource {

	/**
	 * Read the rules.
	 * @return the rules
	 * @throws RuntimeException if they cannot be read, or one is not valid. At the start
	 * it fails the start; later the rules that were read last stay in force, and its
	 * message is logged
	 */
	RuleSet load();

}
