package dev.ratelimit.rule.live;

import java.util.List;
import java.util.function.Function;

import dev.ratelimit.rule.RuleSet;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * What is odd about the rules in force. A warning is logged when it appears, and not
 * again as long as it lasts.
 */
public final class RuleWarnings {

	private static final Log logger = LogFactory.getLog(RuleWarnings.class);

	private final Function<RuleSet, List<String>> lint;

	private volatile List<String> current = List.of();

	/**
	 * Begin without rules.
	 * @param lint finds what is odd, a sentence or two each
	 */
	public RuleWarnings(Function<RuleSet, List<String>> lint) {
		this.lint = lint;
	}

	/**
	 * Look at rules that come into force, and log what is new.
	 * @param rules the rules
	 */
	public synchronized void look(RuleSet rules) {
		List<String> found = List.copyOf(this.lint.apply(rules));
		found.stream().filter((warning) -> !this.current.contains(warning)).forEach(logger::warn);
		this.current = found;
	}

	/**
	 * What is odd now. Costs a volatile read.
	 * @return the warnings
	 */
	public List<String> current() {
		return this.current;
	}

}
