package dev.ratelimit.limiter.lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.rule.Mode;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.ReleaseResult;

/**
 * Acquires permits of leased rules ahead from a store, and spends them without calling
 * it. The first request of a subject acquires what it needs, and so do requests that
 * arrive while another one calls the store. A request that finds a lease used up or ended
 * acquires the next one, as large as the demand. There is no thread and no timer per key.
 * <p>
 * A lease is timed on this instance's monotonic clock, from before the store was called.
 * So a request that is paused, or whose result arrives late, spends no permits that no
 * longer count. A grant whose reply is lost is never spent. While the store is
 * unavailable, leases are spent to their end; then requests fail as the store does.
 * <p>
 * A decision from a lease costs two map look-ups, a clock read, a counter, and the result
 * object. Requests of rules in other modes pass through at the cost of one check each.
 */
final class LeasingStore implements RateLimitStore {

	private final RateLimitStore store;

	private final Leases leases;

	/**
	 * Create a store that leases from another one.
	 * @param store the store
	 * @param leases the leases, which have the clock
	 */
	LeasingStore(RateLimitStore store, Leases leases) {
		this.store = store;
		this.leases = leases;
	}

	@Override
	public List<AcquireResult> acquire(List<AcquireRequest> requests, Duration maxWait) {
		if (!isAnyLeased(requests)) {
			return this.store.acquire(requests, maxWait);
		}
		long now = this.leases.nanoTime();
		AcquireResult[] results = new AcquireResult[requests.size()];
		List<LeaseRequest> open = new ArrayList<>(results.length);
		for (int i = 0; i < results.length; i++) {
			AcquireRequest request = requests.get(i);
			if (isLeased(request)) {
				LimitLeases limit = leasesOf(request);
				Optional<SubjectLease> subjectLease = limit.of(request.subject(), now);
				Optional<AcquireResult> known = subjectLease.flatMap((held) -> held.result(request.cost(), now));
				if (known.isPresent()) {
					results[i] = known.get();
				}
				else {
					open.add(LeaseRequest.of(i, request, limit.terms(), subjectLease, this.leases, now));
				}
			}
			else {
				open.add(LeaseRequest.strictly(i, request));
			}
		}
		if (!open.isEmpty()) {
			acquire(open, results, maxWait);
		}
		return Arrays.asList(results);
	}

	private void acquire(List<LeaseRequest> open, AcquireResult[] results, Duration maxWait) {
		try {
			List<AcquireResult> found = this.store.acquire(open.stream().map(LeaseRequest::request).toList(), maxWait);
			for (int i = 0; i < found.size(); i++) {
				results[open.get(i).place()] = open.get(i).answered(found.get(i));
			}
		}
		finally {
			open.forEach(LeaseRequest::end);
		}
	}

	private static boolean isAnyLeased(List<AcquireRequest> requests) {
		for (int i = 0; i < requests.size(); i++) {
			if (isLeased(requests.get(i))) {
				return true;
			}
		}
		return false;
	}

	private static boolean isLeased(AcquireRequest request) {
		return request.limit().mode() instanceof Mode.Leased;
	}

	@Override
	public List<ReleaseResult> release(List<AcquiredPermits> permits, Duration maxWait) {
		ReleaseResult[] ends = new ReleaseResult[permits.size()];
		List<AcquiredPermits> ofStore = new ArrayList<>(permits.size());
		for (int i = 0; i < ends.length; i++) {
			AcquiredPermits taken = permits.get(i);
			if (!isLeased(taken.request())) {
				ofStore.add(taken);
			}
			else if (LeaseReceipts.isOfLease(taken.receipts())) {
				ends[i] = unspend(taken) ? ReleaseResult.ACKNOWLEDGED : ReleaseResult.LOST;
			}
			else {
				ofStore.add(new AcquiredPermits(asked(taken.request()), LeaseReceipts.forStore(taken.receipts())));
			}
		}
		if (!ofStore.isEmpty()) {
			List<ReleaseResult> found = this.store.release(ofStore, maxWait);
			int next = 0;
			for (int i = 0; i < ends.length; i++) {
				if (!isLeased(permits.get(i).request()) || !LeaseReceipts.isOfLease(permits.get(i).receipts())) {
					ends[i] = found.get(next++);
				}
			}
		}
		return Arrays.asList(ends);
	}

	/**
	 * Return permits of a request that another rule refused, for the next request to use.
	 */
	private boolean unspend(AcquiredPermits taken) {
		AcquireRequest request = taken.request();
		return leasesOf(request).find(request.subject())
			.filter((subjectLease) -> subjectLease.unspend(taken.receipts().get(0), request.cost(),
					this.leases.nanoTime()))
			.isPresent();
	}

	private LimitLeases leasesOf(AcquireRequest request) {
		return this.leases.of(request.limit(), (Mode.Leased) request.limit().mode());
	}

	private AcquireRequest asked(AcquireRequest request) {
		return new AcquireRequest(leasesOf(request).terms().asked(), request.subject(), request.cost(),
				request.permit());
	}

	@Override
	public String shard(AcquireRequest request) {
		return this.store.shard(request);
	}

	@Override
	public String describe() {
		return this.store.describe();
	}

	@Override
	public void close() {
		this.leases.releaseAll();
		this.store.close();
	}

}
