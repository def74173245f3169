package dev.ratelimit.metrics;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;

import dev.ratelimit.limiter.health.StoreListener;
import dev.ratelimit.limiter.remote.Breakers;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.support.LogFields;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

/**
 * Counts the calls of the store. All meters are registered at the start. No tag names a
 * node, because nodes change.
 * <ul>
 * <li>{@code ratelimit.store.calls} {store, outcome}: the calls that were made, and how
 * long each took</li>
 * <li>{@code ratelimit.store.failures} {store, reason}: requests to the store without a
 * result, including those for which no call was made</li>
 * <li>{@code ratelimit.store.circuit} {store, state}: the number of nodes that are
 * called, and of those that are not called for a while</li>
 * <li>{@code ratelimit.memory.shared}: in-memory decisions for clients that had to share
 * a bucket because too many others are counted there</li>
 * </ul>
 */
public final class MicrometerStoreListener implements StoreListener {

	private final Map<CallResult, Timer> calls = new EnumMap<>(CallResult.class);

	private final Map<StoreFailure, Counter> failures = new EnumMap<>(StoreFailure.class);

	private final LongSupplier sharedDecisions;

	/**
	 * Register the meters of a store.
	 * @param store the kind of the store, for example {@code redis}
	 * @param breakers its circuit breakers
	 * @param sharedDecisions the number of decisions made in shared buckets
	 * @param registry the registry of the meters
	 */
	public MicrometerStoreListener(String store, Breakers breakers, LongSupplier sharedDecisions,
			MeterRegistry registry) {
		for (CallResult outcome : CallResult.values()) {
			this.calls.put(outcome,
					Timer.builder("ratelimit.store.calls")
						.description("Calls of the store")
						.tag("store", store)
						.tag("outcome", LogFields.text(outcome))
						.register(registry));
		}
		for (StoreFailure failure : StoreFailure.values()) {
			this.failures.put(failure,
					Counter.builder("ratelimit.store.failures")
						.description("Requests that the store did not answer")
						.tag("store", store)
						.tag("reason", LogFields.text(failure))
						.register(registry));
		}
		// The registry references this object only weakly, like the breakers.
		this.sharedDecisions = sharedDecisions;
		FunctionCounter
			.builder("ratelimit.memory.shared", this, (listener) -> (double) listener.sharedDecisions.getAsLong())
			.description("Decisions in memory of clients that had to share a bucket")
			.register(registry);
		circuit("open", Breakers::open, store, breakers, registry);
		circuit("closed", (all) -> all.known() - all.open(), store, breakers, registry);
	}

	private static void circuit(String state, ToDoubleFunction<Breakers> count, String store, Breakers breakers,
			MeterRegistry registry) {
		Gauge.builder("ratelimit.store.circuit", breakers, count)
			.description("Nodes of the store by the state of their circuit breakers")
			.tag("store", store)
			.tag("state", state)
			.register(registry);
	}

	@Override
	public void called(CallResult outcome, long nanos) {
		Objects.requireNonNull(this.calls.get(outcome)).record(nanos, TimeUnit.NANOSECONDS);
	}

	@Override
	public void unanswered(StoreFailure failure) {
		Objects.requireNonNull(this.failures.get(failure)).increment();
	}

}
