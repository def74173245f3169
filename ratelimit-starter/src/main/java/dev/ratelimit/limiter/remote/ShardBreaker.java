package dev.ratelimit.limiter.remote;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

/**
 * The circuit breaker of one shard. While the shard responds, a call costs two volatile
 * reads. Tested by {@code RemoteStoreBreakerTests}.
 */
final class ShardBreaker {

	private final BreakerSettings settings;

	private final LongSupplier nanoTime;

	private final AtomicReference<ShardState> state = new AtomicReference<>(ShardState.WELL);

	ShardBreaker(BreakerSettings settings, LongSupplier nanoTime) {
		this.settings = settings;
		this.nanoTime = nanoTime;
	}

	/**
	 * Request to call the shard. A caller that may call it has to report the outcome.
	 * @return the state of the shard when the call begins; {@code null} if it must not be
	 * called
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
	 * Report that the shard was not called, so another call may probe an open breaker.
	 * @param seen the state when the call began
	 */
	void notCalled(ShardState seen) {
		if (seen.isProbing()) {
			this.state.compareAndSet(seen, seen.probeLater(this.nanoTime.getAsLong()));
		}
	}

	/**
	 * Report that the call has failed. Calls that are in progress together fail together,
	 * as those of one batch do, so the failure counts only if the state has not changed
	 * since the call began.
	 * @param seen the state when the call began
	 */
	void failed(ShardState seen) {
		this.state.compareAndSet(seen, seen.afterFailure(this.nanoTime.getAsLong(), this.settings));
	}

	/** Whether the breaker is open, which it is during a probe as well. */
	boolean isOpen() {
		return now().isOpen();
	}

	/**
	 * How long the shard is not called.
	 * @return the time until the next probe; zero while one is in progress
	 */
	Duration untilProbe() {
		return Duration.ofNanos(Math.max(0, now().probeNanos() - this.nanoTime.getAsLong()));
	}

	/** Whether a probe has been due for that long and no call has made it. */
	boolean isOpenInVain(Duration since) {
		ShardState now = now();
		return now.isOpen() && this.nanoTime.getAsLong() - now.probeNanos() >= since.toNanos();
	}

}
