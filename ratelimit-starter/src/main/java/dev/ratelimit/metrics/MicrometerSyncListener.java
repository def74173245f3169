package dev.ratelimit.metrics;

import java.util.stream.Stream;

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

	private final MetersOfRules<Counter> lost;

	/**
	 * Register the meters of a rule set.
	 * @param rules the rules
	 * @param registry the registry of the meters
	 */
	public MicrometerSyncListener(RuleSet rules, MeterRegistry registry) {
		this.lost = new MetersOfRules<>(registry, (rule) -> rule.counting().mode() instanceof Mode.Synced,
				(rule) -> counter(rule, registry), Stream::of);
		this.lost.follow(rules);
	}

	private static Counter counter(RLConfig rule, MeterRegistry registry) {
		return Counter.builder("ratelimit.sync.lost")
			.description("Permits that the store may never know of")
			.tag("rule", rule.id())
			.register(registry);
	}

	/**
	 * Count the losses of another rule set; the meters of removed rules are removed.
	 * @param rules the rules
	 */
	public void follow(RuleSet rules) {
		this.lost.follow(rules);
	}

	@Override
	public void lost(String rule, long permits) {
		Counter counter = this.lost.find(rule);
		if (counter != null) {
			counter.increment((double) permits);
		}
	}

}
