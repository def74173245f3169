package dev.ratelimit.store.memory;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Usage;
import dev.ratelimit.store.WaitRange;
import dev.ratelimit.store.memory.Flow.Debt;

/**
 * The token buckets or leaky buckets of one rule and subject, one per window, with a
 * steady flow. The two are mirror images. A debt is the tokens that are missing, or the
 * permits that have not leaked out yet. It is counted in whole units (see {@link Flow}),
 * so nothing is ever lost to rounding. The twin of {@code FlowingBucket.lua}, step by
 * step, and the oracle that script is tested against. Constant memory, about 20 bytes per
 * window in Redis. A bucket does not know its permits: a request that is sent again
 * counts again. Not safe for concurrent use.
 *
 * <h2>Token bucket</h2> Every admission takes its cost in tokens out of a bucket of
 * {@link Limit#capacity}, which is initially full. The threshold flows in evenly per
 * window, to the microsecond. In any time {@code t} at most
 * {@code capacity + t * threshold / window} are admitted, so with the default burst just
 * below twice the threshold in a window. The algorithm is that of RFC 2697 and its
 * relatives, computed at each request.
 *
 * <h2>Leaky bucket, as a meter</h2> Every admission pours its cost in, the threshold
 * leaks out evenly per window, and a request that would make a bucket overflow is
 * refused. So the same is admitted, exactly. The algorithm is the "leaky bucket as a
 * meter" of Turner, "New directions in communications" (1986); GCRA decides the same.
 *
 * <h2>What can be released</h2> A bucket forgets: the flow may already have replaced
 * permits that are released late. All of them are certainly still there as long as no
 * more has flowed since the admission than the debt before it, less the other permits
 * released since, which may have been part of that debt. Any flow beyond that may have
 * replaced the released permits, and is not credited. Between plans with other rates the
 * fastest flow counts, as the bucket does not store which plan used it. So after a
 * release the bucket never admits what it would refuse without the request. It decides
 * exactly as without the request if nothing was taken at a later instant and fewer than
 * 2<sup>31</sup> permits have been released since it was last empty. One case is left: a
 * bucket is forgotten when all of it was released. If the clock then steps back, permits
 * from before that are credited if they are released as late as that. Tested by
 * {@code BucketModelTests}.
 */
final class FlowingBucket implements SubjectState {

	/**
	 * More than is stored in Redis; receipts lapse when so many permits have been
	 * released.
	 */
	static final long MAX_GIVEN = 1L << 31;

	/** By the length of the window. */
	private Map<Long, Debt> debts = Map.of();

	private long lastMicros;

	/** Receipts from before this instant cannot be verified any more. */
	private long sinceMicros;

	/** The number of permits released since that instant. */
	private long given;

	private long goneMicros;

	@Override
	public AcquireResult acquire(Limit limit, String id, long cost, long nowMicros) {
		return decide(limit, cost, nowMicros, true);
	}

	/**
	 * Report the usage, and take nothing. Unlike {@link #peek}, notice that the clock has
	 * stepped back, as every decision does.
	 */
	List<Usage> look(Limit limit, long cost, long nowMicros) {
		return ((AcquireResult.Refused) decide(limit, cost, nowMicros, false)).usage();
	}

	private AcquireResult decide(Limit limit, long cost, long nowMicros, boolean takes) {
		boolean isNew = this.debts.isEmpty();
		boolean steppedBack = !isNew && this.lastMicros > nowMicros;
		long since = isNew ? nowMicros : this.sinceMicros;
		if (steppedBack) {
			since = Math.max(since, this.lastMicros + 1);
		}
		boolean refused = !takes;
		boolean unused = true;
		List<Debt> now = debts(limit, nowMicros);
		for (int i = 0; i < limit.size(); i++) {
			since = this.debts.containsKey(limit.windowMicros(i)) ? since : Math.max(since, nowMicros);
			unused &= now.get(i).equals(Debt.NONE);
			refused |= now.get(i).permitsBegun() > limit.capacity(i) - cost;
		}
		since = unused ? Math.max(since, nowMicros) : since;
		long givenSince = (unused || isNew) ? 0 : this.given;
		AcquireResult result = refused ? refusal(limit, cost, now) : admission(limit, cost, now, givenSince, nowMicros);
		if (steppedBack || !refused) {
			remember(limit, now, nowMicros);
			this.sinceMicros = since;
			this.given = givenSince;
		}
		return result;
	}

	@Override
	public AcquireResult acquireTurn(AcquireRequest request, WaitRange wait, long nowMicros) {
		return LeakyBucketTurn.acquire(this, request, wait, nowMicros);
	}

	@Override
	public List<Usage> peek(Limit limit, long nowMicros) {
		return refusal(limit, 1, debts(limit, nowMicros)).usage();
	}

	private List<Debt> debts(Limit limit, long nowMicros) {
		List<Debt> debts = new ArrayList<>(limit.size());
		for (int i = 0; i < limit.size(); i++) {
			debts.add(debt(limit, i, nowMicros));
		}
		return debts;
	}

	private Debt debt(Limit limit, int index, long nowMicros) {
		Debt debt = this.debts.getOrDefault(limit.windowMicros(index), Debt.NONE);
		Flow flow = Flow.of(limit, index);
		if (debt.permits() >= limit.ceiling(index)) {
			debt = new Debt(limit.ceiling(index), 0);
		}
		return flow.minus(flow.normalized(debt), flow.in(Math.max(0, nowMicros - this.lastMicros)));
	}

	private static AcquireResult.Refused refusal(Limit limit, long cost, List<Debt> debts) {
		List<Usage> usage = new ArrayList<>(limit.size());
		for (int i = 0; i < limit.size(); i++) {
			Flow flow = Flow.of(limit, i);
			Debt debt = debts.get(i);
			long left = limit.capacity(i) - debt.permitsBegun();
			long retry = 0;
			if (cost > limit.capacity(i)) {
				retry = Usage.NEVER;
			}
			else if (cost > left) {
				retry = flow.micros(debt.permits() - (limit.capacity(i) - cost), debt.rest());
			}
			usage.add(new Usage(Math.max(0, left), flow.micros(debt), retry));
		}
		return new AcquireResult.Refused(usage);
	}

	/** Takes the cost. */
	private static AcquireResult admission(Limit limit, long cost, List<Debt> debts, long given, long nowMicros) {
		List<Usage> usage = new ArrayList<>(limit.size());
		List<Long> receipts = new ArrayList<>(limit.size() + 1);
		for (int i = 0; i < limit.size(); i++) {
			receipts.add(2 + debts.get(i).permits() + given);
			Debt debt = new Debt(debts.get(i).permits() + cost, debts.get(i).rest());
			debts.set(i, debt);
			usage.add(new Usage(limit.capacity(i) - debt.permitsBegun(), Flow.of(limit, i).micros(debt), 0));
		}
		receipts.add(nowMicros);
		return new AcquireResult.Admitted(usage, receipts);
	}

	/** Buckets of other plans, which were not requested, continue to flow. */
	private void remember(Limit limit, List<Debt> now, long nowMicros) {
		Map<Long, Debt> debts = new HashMap<>();
		this.goneMicros = nowMicros;
		for (int i = 0; i < limit.size(); i++) {
			put(debts, limit, i, now.get(i), nowMicros);
		}
		if (limit.otherBuckets().isPresent()) {
			Limit others = limit.otherBuckets().get();
			for (int i = 0; i < others.size(); i++) {
				Debt debt = debt(others, i, nowMicros);
				if (!debt.equals(Debt.NONE)) {
					put(debts, others, i, debt, nowMicros);
				}
			}
		}
		this.debts = debts;
		this.lastMicros = nowMicros;
	}

	private void put(Map<Long, Debt> debts, Limit limit, int index, Debt debt, long nowMicros) {
		debts.put(limit.windowMicros(index), debt);
		this.goneMicros = Math.max(this.goneMicros, nowMicros + Flow.of(limit, index).micros(debt));
	}

	@Override
	public boolean release(AcquireRequest request, long cost, List<Long> receipts) {
		return request.turn().isPresent() ? releaseTurn(request.limit(), cost, receipts)
				: release(request.limit(), request.permit().text(), cost, receipts);
	}

	@Override
	public boolean release(Limit limit, String id, long cost, List<Long> receipts) {
		if (receipts.size() != limit.size() + 1) {
			return false;
		}
		long taken = receipts.get(limit.size());
		if (taken < this.sinceMicros || taken > this.lastMicros) {
			return true;
		}
		boolean credited = false;
		for (int i = 0; i < limit.size(); i++) {
			Debt debt = this.debts.get(limit.windowMicros(i));
			if (debt != null) {
				Flow flow = Flow.of(limit, i);
				Debt ahead = new Debt(Math.max(0, receipts.get(i) - 2 - this.given), 0);
				Debt lost = flow.minus(Flow.fastest(limit, i).in(this.lastMicros - taken), ahead);
				Debt credit = flow.minus(new Debt(cost, 0), lost);
				this.debts.put(limit.windowMicros(i), flow.minus(flow.normalized(debt), credit));
				credited |= !credit.equals(Debt.NONE);
			}
		}
		if (credited) {
			countGiven(cost);
			forgetIfEmpty();
		}
		return true;
	}

	/**
	 * Release the permits of a turn if it is the last one. Otherwise it lapses: no
	 * request is pulled forward, and no instant is given twice.
	 * @param limit the limit
	 * @param cost the number of permits
	 * @param emptyAtMicros the receipt of the turn: when all will have leaked out of each
	 * bucket
	 * @return whether the receipt was complete
	 */
	private boolean releaseTurn(Limit limit, long cost, List<Long> emptyAtMicros) {
		if (emptyAtMicros.size() != limit.size()) {
			return false;
		}
		for (int i = 0; i < limit.size(); i++) {
			Debt debt = this.debts.get(limit.windowMicros(i));
			if (debt == null || this.lastMicros + Flow.of(limit, i).micros(debt) != emptyAtMicros.get(i)) {
				return true;
			}
		}
		for (int i = 0; i < limit.size(); i++) {
			this.debts.computeIfPresent(limit.windowMicros(i),
					(window, debt) -> new Debt(Math.max(0, debt.permits() - cost), debt.rest()));
		}
		countGiven(cost);
		forgetIfEmpty();
		return true;
	}

	/** Requests that other rules refuse leave nothing behind. */
	private void forgetIfEmpty() {
		if (this.debts.values().stream().allMatch(Debt.NONE::equals)) {
			this.debts = Map.of();
			this.goneMicros = 0;
		}
	}

	private void countGiven(long cost) {
		this.given += cost;
		if (this.given >= MAX_GIVEN) {
			this.given = 0;
			this.sinceMicros = this.lastMicros + 1;
		}
	}

	@Override
	public boolean isIdle(long nowMicros) {
		return this.goneMicros <= nowMicros;
	}

}
