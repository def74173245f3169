package dev.ratelimit.limiter.remote;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

/**
 * The circuit breaker of one shard. While all is well a call costs two volatile reads.
 */
final class ShardBreaker {

	private final BreakerSettings terms;

	private final LongSupplier nanoTime;

	private final AtomicReference<ShardState> state = new AtomicReference<>(ShardState.WELL);

	ShardBreaker(BreakerSettings terms, LongSupplier nanoTime) {
		this.terms = terms;
		this.nanoTime = nanoTime;
	}

	/**
	 * Ask to call the shard. A caller that may has to report the outcome.
	 * @return what is known of the shard as the call begins; nothing if it may not be
	 * made
	 */
	@Nullable ShardState tryPass() {
		ShardState now = now();
		if (!now.isOpen()) {
			return now;
		}
		if (!now.isProbeDue(this.nanoTime.getAsLong())) {
			return null;
		}
		ShardState probing = now.probing();
		return this.state.compareAndSet(now, probing) ? probing : null;
	}

	private ShardState now() {
		return Objects.requireNonNull(this.state.get());
	}

	void succeeded() {
		if (!now().isWell()) {
			this.state.set(ShardState.WELL);
		}
	}

	/**
	 * Nothing was learnt; another call may try whether an open breaker may close.
	 * @param seen what was known when the call began
	 */
	void notCalled(ShardState seen) {
		if (seen.isProbing()) {
			this.state.compareAndSet(seen, seen.probeLater(this.nanoTime.getAsLong()));
		}
	}

	/**
	 * The call has failed. Calls that are under way together fail together, as those of
	 * one batch do: it counts if nothing else was learnt since it began.
	 * @param seen what was known when the call began
	 */
	void failed(ShardState seen) {
		this.state.compareAndSet(seen, seen.afterFailure(this.nanoTime.getAsLong(), this.terms));
	}

	/** Also while the one that tries is under way. */
	boolean isOpen() {
		return now().isOpen();
	}

	/**
	 * For how long the shard is not called.
	 * @return the time until one call may try again; zero while one does
	 */
	Duration untilProbe() {
		return Duration.ofNanos(Math.max(0, now().probeNanos() - this.nanoTime.getAsLong()));
	}

	/** Whether a trial was due and no call has asked for it. */
	boolean isOpenInVain(Duration since) {
		ShardState now = now();
		return now.isOpen() && this.nanoTime.getAsLong() - now.probeNanos() >= since.toNanos();
	}

}
