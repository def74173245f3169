package dev.ratelimit.limiter.lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

import dev.ratelimit.rule.Mode;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.Subject;

/**
 * All leases of this instance. They belong to the limits of a rule set. A new rule set
 * brings new limits, and what is left of the leases of the old limits is released when
 * they end. Safe for concurrent use.
 */
public final class Leases {

	private static final int MOST_AT_ONCE = 500;

	private static final int MOST_WAITING = 50_000;

	private static final Duration PATIENCE = Duration.ofMillis(100);

	private final Map<Limit, LimitLeases> byLimit = new ConcurrentHashMap<>();

	/** The permits that are left of ended leases. */
	private final Queue<AcquiredPermits> left = new ConcurrentLinkedQueue<>();

	private final AtomicLong waiting = new AtomicLong();

	private final AtomicLong numbers = new AtomicLong();

	private final RateLimitStore store;

	private final LongSupplier nanoTime;

	private final RateLimitStore leasing;

	/**
	 * Create an instance without any leases.
	 * @param store the store from which permits are leased
	 * @param shared whether other instances count in it too; if not, leases gain nothing,
	 * and every permit is acquired there
	 * @param nanoTime a monotonic clock in nanoseconds
	 */
	public Leases(RateLimitStore store, boolean shared, LongSupplier nanoTime) {
		this.store = store;
		this.nanoTime = nanoTime;
		this.leasing = shared ? new LeasingStore(store, this) : store;
	}

	/**
	 * The store for requests.
	 * @return a store that spends leases where it can; to be closed instead of the
	 * original one
	 */
	public RateLimitStore store() {
		return this.leasing;
	}

	LimitLeases of(Limit limit, Mode.Leased mode) {
		LimitLeases known = this.byLimit.get(limit);
		return (known != null) ? known
				: this.byLimit.computeIfAbsent(limit, (missing) -> new LimitLeases(LeaseTerms.of(missing, mode)));
	}

	/**
	 * The limit by which the store counts.
	 * @param limit the limit of a rule
	 * @return the counted limit; the given one if it is not leased
	 */
	public Limit counted(Limit limit) {
		boolean leased = this.leasing != this.store && limit.mode() instanceof Mode.Leased;
		return leased ? of(limit, (Mode.Leased) limit.mode()).terms().asked() : limit;
	}

	/**
	 * How much a client may still be admitted on this instance without a call of the
	 * store.
	 * @param limit the limit
	 * @param subject the client
	 * @return the permits that are left of its lease
	 */
	public long left(Limit limit, Subject subject) {
		LimitLeases known = this.byLimit.get(limit);
		return (known == null) ? 0
				: known.find(subject)
					.map((subjectLease) -> subjectLease.lease().left(this.nanoTime.getAsLong()))
					.orElse(0L);
	}

	/**
	 * Drop the leases of a client. What is left of them is not released, because the
	 * store no longer counts it.
	 * @param rule the id of the rule
	 * @param subject the client
	 */
	public void forget(String rule, Subject subject) {
		this.byLimit.forEach((limit, leases) -> {
			if (limit.rule().equals(rule)) {
				leases.find(subject).ifPresent(SubjectLease::forget);
			}
		});
	}

	long nanoTime() {
		return this.nanoTime.getAsLong();
	}

	long nextNumber() {
		return this.numbers.incrementAndGet();
	}

	/**
	 * Enqueue permits to be released by the next {@link #tidy}. Permits beyond the bound
	 * of that queue stay counted until their window has passed.
	 */
	void release(List<AcquiredPermits> permits) {
		for (AcquiredPermits taken : permits) {
			if (this.waiting.get() < MOST_WAITING) {
				this.waiting.incrementAndGet();
				this.left.add(taken);
			}
		}
	}

	/**
	 * Release what is left of ended leases, and drop subjects that make no more requests.
	 * To be called about once a second. Waits for the store, but not for long.
	 */
	public void tidy() {
		long now = this.nanoTime.getAsLong();
		this.byLimit.forEach((limit, leases) -> {
			leases.tidy(now, this::release);
			if (leases.isEmpty()) {
				this.byLimit.remove(limit, leases);
			}
		});
		release();
	}

	/**
	 * Release what is left of all leases, because this instance shuts down.
	 */
	public void releaseAll() {
		this.byLimit.values().forEach((leases) -> leases.end(this::release));
		release();
	}

	private void release() {
		long end = this.nanoTime.getAsLong() + PATIENCE.toNanos();
		while (!this.left.isEmpty() && this.nanoTime.getAsLong() - end < 0) {
			List<AcquiredPermits> batch = new ArrayList<>();
			for (AcquiredPermits taken = this.left.poll(); taken != null; taken = this.left.poll()) {
				this.waiting.decrementAndGet();
				batch.add(taken);
				if (batch.size() == MOST_AT_ONCE) {
					break;
				}
			}
			this.store.release(batch, PATIENCE);
		}
	}

}
