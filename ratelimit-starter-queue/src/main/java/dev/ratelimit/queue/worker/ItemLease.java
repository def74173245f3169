package dev.ratelimit.queue.worker;

import java.time.Duration;
import java.util.Objects;
import java.util.function.LongSupplier;

import dev.ratelimit.queue.LeasedItem;
import org.jspecify.annotations.Nullable;

/**
 * An item leased to this instance, and how long the lease is certainly valid: on the
 * instance's own monotonic clock, from before the store was called.
 */
final class ItemLease {

	private final LongSupplier nanoTime;

	private final long leaseNanos;

	private volatile long sinceNanos;

	private volatile @Nullable LeasedItem item;

	ItemLease(LongSupplier nanoTime, Duration lease) {
		this.nanoTime = nanoTime;
		this.leaseNanos = lease.toNanos();
		this.sinceNanos = nanoTime.getAsLong();
	}

	void prolonged() {
		prolonged(this.nanoTime.getAsLong());
	}

	void prolonged(long sinceNanos) {
		this.sinceNanos = sinceNanos;
	}

	void item(LeasedItem item) {
		this.item = item;
	}

	LeasedItem item() {
		return Objects.requireNonNull(this.item);
	}

	boolean lasts() {
		return this.nanoTime.getAsLong() - this.sinceNanos < this.leaseNanos;
	}

	boolean isToBeRenewed() {
		return this.item != null && this.nanoTime.getAsLong() - this.sinceNanos > this.leaseNanos / 3;
	}

}
