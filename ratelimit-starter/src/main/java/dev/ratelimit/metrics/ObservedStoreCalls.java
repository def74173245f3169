package dev.ratelimit.metrics;

import dev.ratelimit.limiter.health.StoreListener;
import dev.ratelimit.support.LogFields;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;

/**
 * Shows each call of the store as an observation {@code ratelimit.store} {store,
 * operation, outcome}. In a trace it is a child of the current work of the thread,
 * usually the HTTP request. It contains no data about the client. Without an observation
 * registry a call costs one check.
 */
public final class ObservedStoreCalls implements StoreListener {

	private final String store;

	private final ObservationRegistry registry;

	/**
	 * Observe calls.
	 * @param store the kind of the store, for example {@code redis}
	 * @param registry the registry of the observations
	 */
	public ObservedStoreCalls(String store, ObservationRegistry registry) {
		this.store = store;
		this.registry = registry;
	}

	@Override
	public Call begin(Operation operation) {
		if (this.registry.isNoop()) {
			return Call.UNSEEN;
		}
		String name = LogFields.text(operation);
		Observation observation = Observation.createNotStarted("ratelimit.store", this.registry)
			.contextualName("ratelimit " + name)
			.lowCardinalityKeyValue("store", this.store)
			.lowCardinalityKeyValue("operation", name)
			.start();
		return (outcome) -> observation.lowCardinalityKeyValue("outcome", LogFields.text(outcome)).stop();
	}

}
