package dev.ratelimit;

import java.util.AbstractList;
import java.util.Objects;
import java.util.RandomAccess;

import dev.ratelimit.RateLimitDecision.Quota;
import org.jspecify.annotations.Nullable;

/**
 * The windows of a decision, each computed when it is first read, because most callers
 * never look into them. Unmodifiable. Extended only by the limiter.
 */
public abstract class ComputedQuotas extends AbstractList<Quota> implements RandomAccess {

	private @Nullable Quota @Nullable [] computed;

	/**
	 * Create an instance.
	 */
	protected ComputedQuotas() {
	}

	/** Threads that read at the same time may each compute it: the results are equal. */
	@Override
	public final Quota get(int index) {
		Objects.checkIndex(index, size());
		@Nullable Quota[] quotas = this.computed;
		if (quotas == null) {
			quotas = new @Nullable Quota[size()];
			this.computed = quotas;
		}
		Quota quota = quotas[index];
		if (quota == null) {
			quota = compute(index);
			quotas[index] = quota;
		}
		return quota;
	}

	/**
	 * Compute a window.
	 * @param index its index
	 * @return the window; equal whenever it is computed
	 */
	protected abstract Quota compute(int index);

	/**
	 * The used share of the window that is used most, without computing the windows.
	 * @return as {@link RateLimitDecision#usedShare()}
	 */
	protected abstract double usedShare();

	/**
	 * The used share of a window.
	 * @param limit the most that it admits at once
	 * @param remaining the number of permits left
	 * @return 0 to 1
	 */
	protected static double usedShare(long limit, long remaining) {
		return (double) (limit - remaining) / limit;
	}

}
