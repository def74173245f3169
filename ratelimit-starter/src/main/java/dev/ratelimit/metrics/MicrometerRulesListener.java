package dev.ratelimit.metrics;

import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;

import dev.ratelimit.rule.live.RuleOrigin;
import dev.ratelimit.rule.live.RulesListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * Counts the reloads of rules while the application runs, in
 * {@code ratelimit.rules.reloads} {source, outcome}. Refused rules are counted again at
 * each refresh until they are corrected. All meters are registered at the start.
 */
public final class MicrometerRulesListener implements RulesListener {

	private final Map<RuleOrigin, Counter> changed = new EnumMap<>(RuleOrigin.class);

	private final Map<RuleOrigin, Counter> refused = new EnumMap<>(RuleOrigin.class);

	/**
	 * Register the meters.
	 * @param origins the kinds of sources whose rules may change
	 * @param registry the registry of the meters
	 */
	public MicrometerRulesListener(Collection<RuleOrigin> origins, MeterRegistry registry) {
		for (RuleOrigin origin : origins) {
			this.changed.put(origin, counter(origin, "success", registry));
			this.refused.put(origin, counter(origin, "failure", registry));
		}
	}

	private static Counter counter(RuleOrigin origin, String outcome, MeterRegistry registry) {
		return Counter.builder("ratelimit.rules.reloads")
			.description("Changes of rules that were read while the application runs")
			.tag("source", origin.text())
			.tag("outcome", outcome)
			.register(registry);
	}

	@Override
	public void changed(RuleOrigin origin) {
		count(this.changed, origin);
	}

	@Override
	public void refused(RuleOrigin origin) {
		count(this.refused, origin);
	}

	private static void count(Map<RuleOrigin, Counter> counters, RuleOrigin origin) {
		Counter counter = counters.get(origin);
		if (counter != null) {
			counter.increment();
		}
	}

}
