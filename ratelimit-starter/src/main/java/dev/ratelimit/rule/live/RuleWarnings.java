package dev.ratelimit.rule.live;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

import dev.ratelimit.rule.HttpMethods;
import dev.ratelimit.rule.RuleSet;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * The warnings about the rules in force. A warning is logged when it appears, and not
 * again while it lasts.
 */
public final class RuleWarnings {

	private static final Log logger = LogFactory.getLog(RuleWarnings.class);

	private final Function<RuleSet, List<String>> lint;

	private volatile List<String> current = List.of();

	private List<String> unregistered = List.of();

	/**
	 * Start without rules.
	 * @param lint finds the warnings, a sentence or two each
	 */
	public RuleWarnings(Function<RuleSet, List<String>> lint) {
		this.lint = lint;
	}

	/**
	 * Check rules that come into force, and log new warnings, and methods of no registry.
	 * @param rules the rules
	 */
	public synchronized void update(RuleSet rules) {
		List<String> found = List.copyOf(this.lint.apply(rules));
		found.stream().filter((warning) -> !this.current.contains(warning)).forEach(logger::warn);
		this.current = found;
		List<String> methods = unregistered(rules);
		methods.stream().filter((rule) -> !this.unregistered.contains(rule)).forEach(logger::info);
		this.unregistered = methods;
	}

	/** Usually a misspelt method. */
	private static List<String> unregistered(RuleSet rules) {
		return rules.enabled()
			.stream()
			.filter((rule) -> !HttpMethods.REGISTERED.containsAll(rule.requests().methods()))
			.map((rule) -> "Rule '" + rule.id() + "' lists methods of no registry, which are compared exactly: "
					+ rule.requests()
						.methods()
						.stream()
						.filter((method) -> !HttpMethods.REGISTERED.contains(method))
						.collect(Collectors.joining(", ")))
			.toList();
	}

	/**
	 * The current warnings. Costs a volatile read.
	 * @return the warnings
	 */
	public List<String> current() {
		return this.current;
	}

}
