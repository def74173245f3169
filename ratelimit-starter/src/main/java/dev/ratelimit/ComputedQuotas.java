package dev.ratelimit;

import java.util.AbstractList;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.function.IntFunction;

import dev.ratelimit.RateLimitDecision.Quota;
import org.jspecify.annotations.Nullable;

/**
 * The windows of a decision, each computed when it is first read. Threads that read at
 * the same time may each compute it: the results are equal.
 */
final class ComputedQuotas extends AbstractList<Quota> implements RandomAccess {

	private final int size;

	private final IntFunction<Quota> window;

	private @Nullable Quota @Nullable [] known;

	ComputedQuotas(int size, IntFunction<Quota> window) {
		this.size = size;
		this.window = window;
	}

	@Override
	public Quota get(int index) {
		Objects.checkIndex(index, this.size);
		@Nullable Quota[] quotas = this.known;
		if (quotas == null) {
			quotas = new @Nullable Quota[this.size];
			this.known = quotas;
		}
		Quota quota = quotas[index];
		if (quota == null) {
			quota = this.window.apply(index);
			quotas[index] = quota;
		}
		return quota;
	}

	@Override
	public int size() {
		return this.size;
	}

}
