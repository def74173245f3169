package dev.ratelimit.memcached.autoconfigure;

import java.time.Duration;
import java.util.Collection;
import java.util.List;

import dev.ratelimit.rule.Mode.ModeKind;
import dev.ratelimit.rule.OnStoreFailure;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLThreshold;
import dev.ratelimit.spi.ModuleContext;
import dev.ratelimit.spi.ModuleRules;
import dev.ratelimit.spi.RulesNotEnforceableException;

/**
 * Refuses rules that Memcached cannot enforce, besides those with other algorithms: at
 * the start, and when rules change.
 *
 * @param context the settings of the limiter
 */
record MemcachedRules(ModuleContext context) implements ModuleRules {

	/**
	 * With a second more it is still no date, which Memcached takes a longer lifetime
	 * for.
	 */
	private static final Duration LONGEST_WINDOW = Duration.ofDays(29);

	@Override
	public void check(List<RLConfig> rules) {
		rules.forEach(this::check);
	}

	private void check(RLConfig rule) {
		if (rule.counting().mode().kind() == ModeKind.LEASED) {
			throw cannot(rule, "mode leased, which needs a list of the instances",
					"Use mode strict or synced, or another store");
		}
		if (rule.enforcement().onStoreFailure() == OnStoreFailure.LOCAL && this.context.instances().isEmpty()) {
			throw cannot(rule, "on-store-failure local, but Memcached cannot count the instances that share its limit",
					"Set ratelimit.instances to their number, or on-store-failure to allow or deny");
		}
		rule.allowances()
			.limits()
			.values()
			.stream()
			.flatMap(Collection::stream)
			.forEach((threshold) -> check(rule, threshold));
	}

	private static void check(RLConfig rule, RLThreshold threshold) {
		Duration window = threshold.windowLength();
		if (window.toNanosPart() != 0) {
			throw cannot(rule, "a window of " + threshold.window() + ", and Memcached counts in whole seconds",
					"Use a window of whole seconds, or another store");
		}
		if (window.compareTo(LONGEST_WINDOW) > 0) {
			throw cannot(rule, "a window of " + threshold.window() + ", which Memcached cannot keep",
					"Use a window of at most 29d, or another store");
		}
	}

	private static RulesNotEnforceableException cannot(RLConfig rule, String what, String cure) {
		return new RulesNotEnforceableException("Rule '%s' has %s".formatted(rule.id(), what), cure);
	}

}
