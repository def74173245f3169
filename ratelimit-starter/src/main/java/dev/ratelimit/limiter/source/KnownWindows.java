package dev.ratelimit.limiter.source;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.ComputedQuotas;
import dev.ratelimit.RateLimitDecision.Quota;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Usage;
import org.jspecify.annotations.Nullable;

/**
 * The windows of a client as a store has returned them, or as this instance has derived
 * them from that. Derived windows may have less than no permits left, which
 * {@link EstimatedWindows} report as none. Tested by {@code EstimatedWindowsTests}.
 */
public final class KnownWindows extends ComputedQuotas {

	private static final Optional<Duration> NO_WAIT = Optional.of(Duration.ZERO);

	private final Limit limit;

	private final Limit counted;

	private final List<Usage> usage;

	private final @Nullable List<Long> receipts;

	private KnownWindows(Limit limit, Limit counted, List<Usage> usage, @Nullable List<Long> receipts) {
		this.limit = limit;
		this.counted = counted;
		this.usage = usage;
		this.receipts = receipts;
	}

	/**
	 * The windows after an admission.
	 * @param limit what the rule allows the client; its thresholds appear in quotas even
	 * if only a part of them was requested
	 * @param counted the limit by which it was counted
	 * @param usage the state of the windows, which does not change
	 * @return the windows
	 */
	public static KnownWindows admitted(Limit limit, Limit counted, List<Usage> usage) {
		return new KnownWindows(limit, counted, usage, List.of());
	}

	/**
	 * The windows of admissions by this instance.
	 * @param limit what the rule allows the client, by which it is counted
	 * @param usage the state of the windows, which does not change
	 * @param receipts what releases the permits of each admission
	 * @return the windows
	 */
	public static KnownWindows admitting(Limit limit, List<Usage> usage, List<Long> receipts) {
		return new KnownWindows(limit, limit, usage, receipts);
	}

	/**
	 * The windows after a refusal.
	 * @param limit what the rule allows the client
	 * @param usage the state of the windows, which does not change
	 * @return the windows
	 */
	public static KnownWindows refused(Limit limit, List<Usage> usage) {
		return new KnownWindows(limit, limit, usage, null);
	}

	/** What releases the permits; {@code null} after a refusal. */
	@Nullable List<Long> receipts() {
		return this.receipts;
	}

	/**
	 * The windows.
	 * @return the state of each window
	 */
	public List<Usage> usage() {
		return this.usage;
	}

	@Override
	public int size() {
		return this.usage.size();
	}

	@Override
	protected Quota compute(int index) {
		return quota(index, this.usage.get(index));
	}

	Quota quota(int index, Usage usage) {
		Optional<Duration> retryAfter = retryAfter(usage.retryMicros());
		return new Quota(this.limit.policies().get(index), this.limit.capacity(index), this.limit.count(index),
				this.limit.thresholds().get(index).window(), usage.remaining(), micros(usage.resetMicros()), retryAfter,
				moreAfter(index, usage, retryAfter));
	}

	private Optional<Duration> moreAfter(int index, Usage usage, Optional<Duration> retryAfter) {
		if (this.receipts == null) {
			return usage.refuses() ? retryAfter : Optional.empty();
		}
		long next = this.counted.nextPermitMicros(index, usage);
		return (next > 0) ? Optional.of(micros(next)) : Optional.empty();
	}

	private static Optional<Duration> retryAfter(long micros) {
		if (micros == 0) {
			return NO_WAIT;
		}
		return (micros == Usage.NEVER) ? Optional.empty() : Optional.of(micros(micros));
	}

	private static Duration micros(long micros) {
		return Duration.ofSeconds(micros / 1_000_000, (micros % 1_000_000) * 1000);
	}

	@Override
	protected double usedShare() {
		return usedShare(0);
	}

	/**
	 * The used share of the window that is used most.
	 * @param more how many permits more are left than the store has returned; negative
	 * for less
	 */
	double usedShare(long more) {
		double most = 0;
		for (int i = 0; i < this.usage.size(); i++) {
			long remaining = Math.max(0, this.usage.get(i).remaining() + more);
			most = Math.max(most, usedShare(this.limit.capacity(i), remaining));
		}
		return most;
	}

}
