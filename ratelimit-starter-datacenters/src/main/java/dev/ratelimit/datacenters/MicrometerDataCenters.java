package dev.ratelimit.datacenters;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * Measures the exchange with other data centres.
 * <ul>
 * <li>{@code ratelimit.exchange.age} {peer}: the time since the Redis of that data centre
 * has last replied; not a number if it never has</li>
 * <li>{@code ratelimit.exchange.unacknowledged} {peer}: clients that have taken permits
 * from pools here that it has not acknowledged</li>
 * <li>{@code ratelimit.exchange.problem} {peer}: 1 if it does not reply, or nothing is
 * exchanged with it, else 0</li>
 * <li>{@code ratelimit.exchange.missing}: requests that were refused only as an
 * acknowledgement was missing</li>
 * </ul>
 */
final class MicrometerDataCenters implements MeterBinder {

	private static final String PEER = "peer";

	private final Supplier<List<PeerStatus>> peers;

	private final LongSupplier missing;

	/**
	 * Create the meters.
	 * @param peers what is known of the other data centres, always the same ones
	 * @param missing how many requests were refused only as an acknowledgement was
	 * missing
	 */
	MicrometerDataCenters(Supplier<List<PeerStatus>> peers, LongSupplier missing) {
		this.peers = peers;
		this.missing = missing;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		for (PeerStatus peer : this.peers.get()) {
			TimeGauge
				.builder("ratelimit.exchange.age", () -> of(peer.name(), MicrometerDataCenters::millis),
						TimeUnit.MILLISECONDS)
				.description("Time since the Redis of another data centre has last replied")
				.tag(PEER, peer.name())
				.register(registry);
			Gauge
				.builder("ratelimit.exchange.unacknowledged",
						() -> of(peer.name(), (status) -> (double) status.unacknowledged()))
				.description("Clients with permits from pools that another data centre has not acknowledged")
				.tag(PEER, peer.name())
				.register(registry);
			Gauge
				.builder("ratelimit.exchange.problem",
						() -> of(peer.name(), (status) -> status.problem().isPresent() ? 1 : 0))
				.description("1 if another data centre does not reply, or nothing is exchanged with it")
				.tag(PEER, peer.name())
				.register(registry);
		}
		FunctionCounter.builder("ratelimit.exchange.missing", this.missing, (count) -> (double) count.getAsLong())
			.description("Requests refused only as an acknowledgement was missing")
			.register(registry);
	}

	private static double millis(PeerStatus status) {
		return status.sinceReply().map(Duration::toMillis).map(Long::doubleValue).orElse(Double.NaN);
	}

	private double of(String name, ToDoubleFunction<PeerStatus> value) {
		return this.peers.get()
			.stream()
			.filter((status) -> status.name().equals(name))
			.mapToDouble(value)
			.findFirst()
			.orElse(Double.NaN);
	}

}
