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
 * Counts what synced rules have lost.
 * <ul>
 * <li>{@code ratelimit.sync.lost} {rule}: permits that an instance admitted alone and
 * that the store may never know of, as it did not answer when it was told</li>
 * </ul>
 */
public final class MicrometerSyncListener implements SyncListener {

	private final Map<String, Counter> lost = new HashMap<>();

	/**
	 * Register the meters of a rule set.
	 * @param rules the rules
	 * @param registry where the meters are
	 */
	public MicrometerSyncListener(RuleSet rules, MeterRegistry registry) {
		for (RLConfig rule : rules.enabled()) {
			if (rule.mode() instanceof Mode.Synced) {
				this.lost.put(rule.id(),
						Counter.builder("ratelimit.sync.lost")
							.description("Permits that the store may never know of")
							.tag("rule", rule.id())
							.register(registry));
			}
		}
	}

	@Override
	public void lost(String rule, long permits) {
		Counter counter = this.lost.get(rule);
		if (counter != null) {
			counter.increment(permits);
		}
	}

}
