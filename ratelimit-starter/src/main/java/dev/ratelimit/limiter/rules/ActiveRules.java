package dev.ratelimit.limiter.rules;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Supplier;

import dev.ratelimit.limiter.CompiledRules;
import dev.ratelimit.rule.RuleSet;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * The rules in force. They are replaced as a whole: a caller that reads them once sees
 * one rule set, however long it uses it. What was compiled from the old rule set is
 * dropped with it, except for unchanged rules.
 */
public final class ActiveRules implements Supplier<CompiledRules> {

	private static final Log logger = LogFactory.getLog(ActiveRules.class);

	private final BiFunction<RuleSet, Optional<CompiledRules>, CompiledRules> compiler;

	private volatile CompiledRules current;

	/**
	 * Bring the first rules into force.
	 * @param rules the rules
	 * @param compiler compiles rules; also receives the result of its last run
	 * @throws RuntimeException if they cannot be compiled
	 */
	public ActiveRules(RuleSet rules, BiFunction<RuleSet, Optional<CompiledRules>, CompiledRules> compiler) {
		this.compiler = compiler;
		this.current = compiler.apply(rules, Optional.empty());
	}

	/** Costs a volatile read. */
	@Override
	public CompiledRules get() {
		return this.current;
	}

	/**
	 * Bring other rules into force: all of them, or none if they cannot be compiled, a
	 * check refuses them or a follower cannot work with them. To be called by one thread
	 * at a time.
	 * @param rules the rules
	 * @param checks run before any follower
	 * @param followers the components that use them; all of them prepare before the first
	 * one changes
	 * @throws RuntimeException if the rules do not come into force
	 */
	public void replace(RuleSet rules, List<RuleSetValidator> checks, List<RuleSetListener> followers) {
		CompiledRules next = this.compiler.apply(rules, Optional.of(this.current));
		checks.forEach((check) -> check.check(next));
		List<Runnable> changes = new ArrayList<>(followers.size());
		for (RuleSetListener follower : followers) {
			changes.add(follower.prepare(next));
		}
		for (Runnable change : changes) {
			try {
				change.run();
			}
			catch (Throwable ex) {
				// The others must follow all the same.
				logger.warn(
						"New rate limit rules are in force, but a part of the limiter could not take them over and may "
								+ "still use the old ones: restart this instance",
						ex);
			}
		}
		this.current = next;
	}

}
