package dev.ratelimit.store.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.LongStream;

import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.LongerWindow;
import dev.ratelimit.store.Usage;
import dev.ratelimit.store.WaitRange;

/**
 * The sliding-window log of one rule and subject: every admission is stored with its
 * time, and no window ever holds more than its threshold. The twin of
 * {@code SlidingWindowLog.lua}, step by step, and the oracle that script is tested
 * against. A window holds what is younger than its length; never more members are kept
 * than {@link Limit#mostKept()}, and those of one request. Not safe for concurrent use.
 */
final class SlidingWindowLog implements SubjectState {

	/** Suffix of the id of a counted refusal. */
	private static final String REFUSAL = "!";

	private final TimedMembers members = new TimedMembers();

	private long horizonMicros;

	/**
	 * The time until which longer windows than the requested ones may need older entries.
	 */
	private long neededUntilMicros;

	/** The time at which the last turn was given. */
	private long turnGivenMicros;

	@Override
	public AcquireResult acquire(Limit limit, String id, long cost, long nowMicros) {
		this.horizonMicros = limit.windowMicros(limit.size() - 1);
		long[] used = used(limit, nowMicros);
		boolean full = isFull(limit, used, cost);
		if (full || limit.countRejected() || this.turnGivenMicros > 0 || limit.longerWindow().isPresent()) {
			see(limit, nowMicros);
		}
		// A repeated request gets its first result: it is decided differently now only if
		// it left the other mark.
		boolean stands = (full || limit.countRejected())
				&& this.members.contains(full ? id : id + REFUSAL, nowMicros - this.horizonMicros);
		boolean added = false;
		if (!stands && (limit.countRejected() || !full)) {
			added = remember(limit, id, cost, full, nowMicros);
			if (!added) {
				see(limit, nowMicros);
			}
			used = used(limit, nowMicros);
		}
		boolean taken = added && !full && !awaitsTurns(nowMicros);
		boolean refused = full != stands;
		List<Usage> usage = new ArrayList<>(used.length);
		for (int i = 0; i < used.length; i++) {
			long window = limit.windowMicros(i);
			long reset = resetMicros(window, nowMicros);
			long retry = refused ? retryMicros(limit.count(i), window, used[i], cost, nowMicros) : 0;
			usage.add(new Usage(Math.max(0, limit.count(i) - used[i]), reset,
					(refused && stands) ? Math.max(1, retry) : retry,
					taken ? nextMicros(limit.count(i), window, used[i], cost, nowMicros) : 0));
		}
		return refused ? new AcquireResult.Refused(usage) : new AcquireResult.Admitted(usage);
	}

	@Override
	public AcquireResult acquireTurn(AcquireRequest request, WaitRange wait, long nowMicros) {
		return SlidingWindowLogTurn.acquire(this, request, wait, nowMicros);
	}

	/**
	 * Date entries of the future back to now, where the clock has stepped back. Until
	 * that is done, such an entry counts as of now in every decision. A turn is dated in
	 * the future on purpose, unless it was also given in the future.
	 */
	void see(Limit limit, long nowMicros) {
		this.horizonMicros = limit.windowMicros(limit.size() - 1);
		if (!awaitsTurns(nowMicros)) {
			this.members.restampAfter(nowMicros);
		}
	}

	private boolean awaitsTurns(long nowMicros) {
		return this.members.size() > 0 && this.members.microsFromNewest(0) > nowMicros
				&& this.members.newest().contains(SlidingWindowLogTurn.MARK) && this.turnGivenMicros <= nowMicros;
	}

	/**
	 * The time of an entry that still counts.
	 */
	OptionalLong timeOf(String name, long nowMicros) {
		return this.members.contains(name, nowMicros - this.horizonMicros) ? OptionalLong.of(this.members.timeOf(name))
				: OptionalLong.empty();
	}

	OptionalLong microsFromNewest(int rank) {
		return (rank < this.members.size()) ? OptionalLong.of(this.members.microsFromNewest(rank))
				: OptionalLong.empty();
	}

	/** The number of entries that are dated in the future. */
	int countAfter(long nowMicros) {
		return this.members.countAfter(nowMicros);
	}

	void giveTurn(Limit limit, String id, long cost, long turnMicros, long nowMicros) {
		for (long i = 0; i < cost; i++) {
			this.members.put(member(id, i), turnMicros);
		}
		this.turnGivenMicros = nowMicros;
		forget(limit, turnMicros, nowMicros);
	}

	/**
	 * The usage of the windows.
	 * @param retryMicros the wait, which is the same for all
	 */
	List<Usage> usage(Limit limit, long retryMicros, long nowMicros) {
		long[] used = used(limit, nowMicros);
		List<Usage> usage = new ArrayList<>(used.length);
		for (int i = 0; i < used.length; i++) {
			usage.add(new Usage(Math.max(0, limit.count(i) - used[i]), resetMicros(limit.windowMicros(i), nowMicros),
					retryMicros));
		}
		return usage;
	}

	@Override
	public List<Usage> peek(Limit limit, long nowMicros) {
		long[] used = used(limit, nowMicros);
		List<Usage> usage = new ArrayList<>(used.length);
		for (int i = 0; i < used.length; i++) {
			long reset = resetMicros(limit.windowMicros(i), nowMicros);
			// An entry that is dated in the future because the clock was set back counts
			// as of now.
			long retry = Math.min(reset, retryMicros(limit.count(i), limit.windowMicros(i), used[i], 1, nowMicros));
			usage.add(new Usage(Math.max(0, limit.count(i) - used[i]), reset, retry));
		}
		return usage;
	}

	private long resetMicros(long window, long nowMicros) {
		if (this.members.size() == 0) {
			return 0;
		}
		long newest = this.members.microsFromNewest(0);
		return Math.max(0, (awaitsTurns(nowMicros) ? newest : Math.min(nowMicros, newest)) + window - nowMicros);
	}

	@Override
	public boolean release(Limit limit, String id, long cost, List<Long> receipts) {
		int before = this.members.size();
		for (long i = 0; i < cost; i++) {
			this.members.remove(member(id, i));
		}
		if (id.endsWith(SlidingWindowLogTurn.MARK) && before > 0 && this.members.size() == 0) {
			this.turnGivenMicros = 0;
			this.neededUntilMicros = 0;
		}
		return true;
	}

	@Override
	public boolean isIdle(long nowMicros) {
		return this.members.size() == 0 || (this.members.microsFromNewest(0) <= nowMicros - this.horizonMicros
				&& this.neededUntilMicros <= nowMicros);
	}

	int size() {
		return this.members.size();
	}

	private long[] used(Limit limit, long nowMicros) {
		long[] used = new long[limit.size()];
		for (int i = 0; i < used.length; i++) {
			used[i] = this.members.countAfter(nowMicros - limit.windowMicros(i));
		}
		return used;
	}

	private static boolean isFull(Limit limit, long[] used, long cost) {
		if (cost > RLConfig.MAX_LOG_COST) {
			return true;
		}
		for (int i = 0; i < used.length; i++) {
			if (cost > limit.count(i) - used[i]) {
				return true;
			}
		}
		return false;
	}

	private boolean remember(Limit limit, String id, long cost, boolean refused, long nowMicros) {
		forget(limit, nowMicros, nowMicros);
		int sizeBefore = this.members.size();
		long count = refused ? Math.min(cost, Math.min(RLConfig.MAX_LOG_COST, limit.mostKept())) : cost;
		String mark = refused ? REFUSAL : "";
		this.members.addNewest(() -> LongStream.range(0, count).mapToObj((i) -> member(id, i) + mark).iterator(),
				nowMicros);
		boolean added = this.members.size() > sizeBefore;
		if (refused) {
			this.members.keepNewest(limit.mostKept());
		}
		return added;
	}

	/**
	 * Removes entries that no window needs any more. Entries that a longer window of
	 * another plan needs stay, but no more than are enough for every plan, plus all turns
	 * that are still due.
	 */
	private void forget(Limit limit, long upToMicros, long nowMicros) {
		if (limit.longerWindow().isEmpty()) {
			this.members.removeUpTo(nowMicros - this.horizonMicros);
			return;
		}
		LongerWindow longer = limit.longerWindow().get();
		long newest = Math.max(nowMicros, microsFromNewest(0).orElse(0));
		long until = Math.min(this.neededUntilMicros, newest + longer.micros());
		this.members.removeUpTo(nowMicros - ((until > nowMicros) ? longer.micros() : this.horizonMicros));
		if (until > nowMicros) {
			this.members.keepNewest(longer.most() + countAfter(nowMicros));
		}
		if (longer.isNeeded() && upToMicros + this.horizonMicros > until) {
			this.neededUntilMicros = upToMicros + this.horizonMicros;
		}
	}

	private long retryMicros(long threshold, long window, long used, long cost, long nowMicros) {
		if (cost > Math.min(threshold, RLConfig.MAX_LOG_COST)) {
			return Usage.NEVER;
		}
		if (cost <= threshold - used) {
			return 0;
		}
		return this.members.microsFromNewest((int) (threshold - cost)) + window - nowMicros;
	}

	/** The time until the oldest permit leaves a window that is used up now. */
	private long nextMicros(long threshold, long window, long used, long cost, long nowMicros) {
		if (used < threshold) {
			return 0;
		}
		return (cost == threshold) ? window
				: Math.min(window, this.members.microsFromNewest((int) (threshold - 1)) + window - nowMicros);
	}

	private static String member(String id, long place) {
		return (place == 0) ? id : id + '.' + place;
	}

}
