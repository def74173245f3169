package dev.ratelimit.limiter.lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

import dev.ratelimit.RateLimitDecision.Source;
import dev.ratelimit.limiter.lease.LeaseRenewals.DueLease;
import dev.ratelimit.limiter.remote.RemoteStore;
import dev.ratelimit.limiter.source.EstimatedWindows;
import dev.ratelimit.limiter.source.InFlight;
import dev.ratelimit.limiter.source.PermitOwner;
import dev.ratelimit.limiter.source.PermitSource;
import dev.ratelimit.limiter.source.Settled;
import dev.ratelimit.limiter.source.Slot;
import dev.ratelimit.rule.Mode;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.PermitIds;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.SettlementResult;
import dev.ratelimit.store.Subject;
import dev.ratelimit.support.BackgroundThread;
import dev.ratelimit.support.WaitBudget;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * All leases of this instance: acquires permits of leased rules ahead from the store, and
 * spends them without calling it. The first request of a subject acquires what it needs,
 * and so do requests that arrive while another one calls the store. A request that finds
 * a lease used up or ended acquires the next one, as large as the demand. A lease of
 * eight permits or more is renewed in the background when nearly nothing is left of it,
 * so that no request of a steady demand waits for the store. One thread renews all of
 * them, and there is no timer.
 * <p>
 * A lease is timed on this instance's monotonic clock, from before the store was called.
 * So a request that is paused, or whose result arrives late, spends no permits that no
 * longer count. A grant whose reply is lost is never spent. While the store is
 * unavailable, leases are spent to their end; then requests fail as the store does.
 * <p>
 * Leases belong to the limits of a rule set. A new rule set brings new limits, and what
 * is left of the leases of the old limits is released when they end. A decision from a
 * lease costs two map look-ups, a counter, and the result. Safe for concurrent use.
 */
public final class Leases implements PermitSource, PermitOwner {

	private static final Log logger = LogFactory.getLog(Leases.class);

	private static final int MOST_AT_ONCE = 500;

	private static final int MOST_WAITING = 50_000;

	/** How long releases go on to begin. */
	private static final Duration PATIENCE = Duration.ofMillis(100);

	/** A release waits no longer, so that the instance does not seem to have gone. */
	private static final Duration LONGEST_WAIT = Duration.ofMillis(500);

	/** At shutdown: enough for tens of thousands of leases. */
	private static final Duration LAST_PATIENCE = Duration.ofSeconds(2);

	private final Map<Limit, LimitLeases> byLimit = new ConcurrentHashMap<>();

	/** The permits that are left of ended leases. */
	private final LinkedBlockingQueue<AcquiredPermits> toRelease = new LinkedBlockingQueue<>(MOST_WAITING);

	private final AtomicLong numbers = new AtomicLong();

	private final RemoteStore store;

	private final Duration maxWait;

	private final LongSupplier nanoTime;

	private final LeaseRenewals renewals;

	Leases(RemoteStore store, PermitIds permitIds, Duration deadline, LongSupplier nanoTime,
			BackgroundThread background) {
		this.store = store.untraced();
		this.maxWait = (deadline.compareTo(LONGEST_WAIT) < 0) ? deadline : LONGEST_WAIT;
		this.nanoTime = nanoTime;
		this.renewals = new LeaseRenewals(this, this.store, permitIds, deadline, nanoTime, background);
	}

	/**
	 * Create an instance without any leases, and with a thread of its own.
	 * @param store the store from which permits are leased; where no other instance
	 * counts in it, leases gain nothing
	 * @param permitIds names the permits that are leased ahead
	 * @param deadline how long to wait for these, and at most for a release
	 * @param nanoTime a monotonic clock in nanoseconds
	 * @return the leases, which have to be closed before the store
	 */
	public static Leases create(RemoteStore store, PermitIds permitIds, Duration deadline, LongSupplier nanoTime) {
		return new Leases(store, permitIds, deadline, nanoTime, new BackgroundThread("ratelimit-leases"));
	}

	@Override
	public @Nullable EstimatedWindows tryAcquire(Limit limit, Subject subject, long cost, long nowNanos) {
		LimitLeases leases = this.byLimit.get(limit);
		if (leases == null) {
			return null;
		}
		SubjectLease subjectLease = leases.known(subject);
		return (subjectLease != null) ? fromLease(leases.terms(), subject, subjectLease, cost, nowNanos) : null;
	}

	private @Nullable EstimatedWindows fromLease(LeaseTerms terms, Subject subject, SubjectLease subjectLease,
			long cost, long nowNanos) {
		EstimatedWindows result = subjectLease.result(cost, nowNanos);
		if (result != null && result.isAdmitted()) {
			Lease due = subjectLease.makeDue(cost, nowNanos);
			if (due != null) {
				this.renewals.add(new DueLease(due, terms, subject, subjectLease, cost));
			}
		}
		return result;
	}

	@Override
	public Source source() {
		return Source.LEASE;
	}

	@Override
	public void offer(Slot slot, long nowNanos) {
		AcquireRequest request = slot.request();
		LimitLeases limit = of(request.limit());
		SubjectLease subjectLease = limit.of(request.subject(), nowNanos);
		EstimatedWindows known = (subjectLease != null)
				? fromLease(limit.terms(), request.subject(), subjectLease, request.cost(), nowNanos) : null;
		if (known != null) {
			slot.answer(known, source(), this);
		}
		else {
			deferToStore(slot, limit.terms(), subjectLease, nowNanos);
		}
	}

	private void deferToStore(Slot slot, LeaseTerms terms, @Nullable SubjectLease subjectLease, long nowNanos) {
		AcquireRequest request = slot.request();
		long wanted = request.cost();
		InFlight inFlight;
		if (subjectLease != null && subjectLease.beginToRenew(request.cost(), nowNanos)) {
			wanted = subjectLease.wanted(terms, request.cost(), nowNanos);
			inFlight = new InFlightLease.Ahead(terms, subjectLease, this, nowNanos, request.cost());
		}
		else {
			inFlight = new InFlightLease(terms, subjectLease, nowNanos);
		}
		slot.deferToStore(
				new AcquireRequest(terms.counted(), request.subject(), request.cost(), request.permit(), wanted),
				inFlight);
	}

	/**
	 * Return permits of a request that another rule refused, for the next request to use.
	 */
	@Override
	public Settled settle(Settlement settlement) {
		AcquiredPermits permits = settlement.released();
		AcquireRequest request = permits.request();
		boolean unspent = of(request.limit()).find(request.subject())
			.filter((subjectLease) -> subjectLease.unspend(permits.receipts().get(0), request.cost(),
					this.nanoTime.getAsLong()))
			.isPresent();
		return new Settled.Here(unspent ? SettlementResult.ACKNOWLEDGED : SettlementResult.LOST);
	}

	private LimitLeases of(Limit limit) {
		LimitLeases known = this.byLimit.get(limit);
		return (known != null) ? known : this.byLimit.computeIfAbsent(limit,
				(missing) -> new LimitLeases(LeaseTerms.of(missing, (Mode.Leased) missing.mode())));
	}

	@Override
	public Limit counted(Limit limit) {
		return of(limit).terms().counted();
	}

	@Override
	public long left(Limit limit, Subject subject) {
		LimitLeases known = this.byLimit.get(limit);
		return (known == null) ? 0
				: known.find(subject).map((subjectLease) -> subjectLease.left(this.nanoTime.getAsLong())).orElse(0L);
	}

	/** What is left of its leases is not released. */
	@Override
	public void forget(String rule, Subject subject) {
		this.byLimit.forEach((limit, leases) -> {
			if (limit.rule().equals(rule)) {
				leases.find(subject).ifPresent(SubjectLease::forget);
			}
		});
	}

	long nextNumber() {
		return this.numbers.incrementAndGet();
	}

	/**
	 * Enqueue permits to be released by the next {@link #tidy}. Permits beyond the bound
	 * of that queue stay counted until their window has passed.
	 */
	void enqueueRelease(List<AcquiredPermits> permits) {
		for (AcquiredPermits taken : permits) {
			boolean ignored = this.toRelease.offer(taken);
		}
	}

	/**
	 * Release what is left of ended leases, and drop subjects that make no more requests.
	 * To be called about once a second. Waits for the store, but not for long.
	 */
	@Override
	public void tidy() {
		long now = this.nanoTime.getAsLong();
		this.byLimit.forEach((limit, leases) -> {
			leases.tidy(now, this::enqueueRelease);
			if (leases.retire()) {
				this.byLimit.remove(limit, leases);
			}
		});
		int ignored = flushReleases(PATIENCE);
	}

	@Override
	public void restart() {
		this.byLimit.clear();
		this.renewals.restart();
	}

	/**
	 * Release what is left of all leases, because this instance stops. Waits for the
	 * store, but begins no call after two seconds, once the last renewal has ended.
	 */
	@Override
	public void close() {
		this.renewals.close();
		this.byLimit.values().forEach((leases) -> leases.end(this::enqueueRelease));
		int unknown = flushReleases(LAST_PATIENCE) + this.toRelease.size();
		if (unknown > 0) {
			logger.warn(unknown
					+ " leases may not have been returned. What they hold counts until its windows have passed");
			this.toRelease.clear();
		}
	}

	/** Returns how many the store has not acknowledged. */
	private int flushReleases(Duration patience) {
		int unknown = 0;
		long end = this.nanoTime.getAsLong() + patience.toNanos();
		while (!this.toRelease.isEmpty() && this.nanoTime.getAsLong() - end < 0) {
			List<AcquiredPermits> batch = new ArrayList<>();
			int ignored = this.toRelease.drainTo(batch, MOST_AT_ONCE);
			for (SettlementResult result : this.store.settle(Settlement.release(batch), new WaitBudget(this.maxWait))
				.await()) {
				unknown += (result == SettlementResult.ACKNOWLEDGED) ? 0 : 1;
			}
		}
		return unknown;
	}

}
