package dev.ratelimit.metrics;

import java.util.HashMap;
import java.util.Map;

import dev.ratelimit.limiter.sync.SyncListener;
import dev.ratelimit.rule.Mode;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RuleSet;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * Counts the lost permits of synced rules.
 * <ul>
 * <li>{@code ratelimit.sync.lost} {rule}: permits that an instance admitted locally and
 * that the store may never receive, because it did not respond to the
 * synchronization</li>
 * </ul>
 */
public final class MicrometerSyncListener implements SyncListener {

	private final MeterRegistry registry;

	private volatile Map<String, Counter> lost;

	/**
	 * Register the meters of a rule set.
	 * @param rules the rules
	 * @param registry the registry of the meters
	 */
	public MicrometerSyncListener(RuleSet rules, MeterRegistry registry) {
		this.registry = registry;
		this.lost = counters(rules);
	}

	/** Meters that are already registered are found again. */
	private Map<String, Counter> counters(RuleSet rules) {
		Map<String, Counter> counters = new HashMap<>();
		for (RLConfig rule : rules.enabled()) {
			if (rule.mode() instanceof Mode.Synced) {
				counters.put(rule.id(),
						Counter.builder("ratelimit.sync.lost")
							.description("Permits that the store may never know of")
							.tag("rule", rule.id())
							.register(this.registry));
			}
		}
		return counters;
	}

	/**
	 * Count the losses of another rule set; the meters of removed rules are removed.
	 * @param rules the rules
	 */
	public void follow(RuleSet rules) {
		Map<String, Counter> before = this.lost;
		Map<String, Counter> after = counters(rules);
		this.lost = after;
		before.forEach((rule, counter) -> {
			if (!after.containsKey(rule) && MicrometerDecisionListener.isOf(rule, counter)) {
				this.registry.remove(counter);
			}
		});
	}

	@Override
	public void lost(String rule, long permits) {
		Counter counter = this.lost.get(rule);
		if (counter != null) {
			counter.increment((double) permits);
		}
	}

}
