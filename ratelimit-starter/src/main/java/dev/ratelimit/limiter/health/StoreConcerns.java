package dev.ratelimit.limiter.health;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * What in the store loses, or may lose, what it counts. The store is queried until it has
 * replied, and once a minute from then on. A concern is logged when it begins.
 */
public final class StoreConcerns {

	private static final Log logger = LogFactory.getLog(StoreConcerns.class);

	private static final long PAUSE_NANOS = Duration.ofMinutes(1).toNanos();

	private final Supplier<Optional<List<String>>> store;

	private final LongSupplier nanoTime;

	private volatile Optional<List<String>> reported = Optional.empty();

	/** Used by one thread. */
	private long refreshedNanos;

	/**
	 * Create an instance without any result.
	 * @param store queries the store; empty while it does not respond
	 * @param nanoTime a monotonic clock in nanoseconds
	 */
	public StoreConcerns(Supplier<Optional<List<String>>> store, LongSupplier nanoTime) {
		this.store = store;
		this.nanoTime = nanoTime;
	}

	/**
	 * Query the store, unless it has reported within the last minute. Waits for the
	 * store; to be called by one thread, in the background.
	 */
	public void refresh() {
		long now = this.nanoTime.getAsLong();
		if (this.reported.isPresent() && now - this.refreshedNanos < PAUSE_NANOS) {
			return;
		}
		this.refreshedNanos = now;
		this.store.get().ifPresent((concerns) -> {
			List<String> before = this.reported.orElse(List.of());
			this.reported = Optional.of(concerns);
			concerns.stream().filter((concern) -> !before.contains(concern)).forEach(logger::warn);
		});
	}

	/**
	 * What the store has reported last.
	 * @return its concerns, a sentence or two each; empty while it has reported nothing
	 */
	public Optional<List<String>> known() {
		return this.reported;
	}

}
