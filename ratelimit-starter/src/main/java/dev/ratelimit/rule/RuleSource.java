package dev.ratelimit.rule;

/**
 * Where rules come from. A bean of this type adds its rules to those of the
 * configuration, and a rule of such a bean stands in for every other one of its id. It is
 * asked when the application starts, and again every
 * {@code ratelimit.rule-source.refresh} on a background thread; what it answers then
 * comes into force with the next request.
 */
@FunctionalInterface
public interface RuleSource {

	/**
	 * Read the rules.
	 * @return the rules
	 * @throws RuntimeException if they cannot be read, or one is not valid: it stops the
	 * start; later the rules that were read last stay in force, and its message is logged
	 */
	RuleSet load();

}
