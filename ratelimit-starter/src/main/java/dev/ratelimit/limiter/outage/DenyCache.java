package dev.ratelimit.limiter.outage;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;

import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.Usage;

/**
 * Remembers refusals for as long as the store said that they hold, but for no longer than
 * a given time, in which nobody else learns of a raised limit. Only for rules whose
 * {@link FinalRefusals refusals are final}. A refusal is repeated to the same cost only:
 * a smaller one may be admitted, and a larger one has another wait.
 * <p>
 * Safe for concurrent use, without a lock. A look costs a hash and at most four
 * comparisons, and no memory. There are at most 16,384 refusals, some 5 MB: a new one
 * takes the place of the one among four that ends first. Whoever sees to it that another
 * subject is forgotten costs it a call of the store.
 */
public final class DenyCache {

	private static final int ENTRIES = 16_384;

	/** How many places a refusal may have. */
	private static final int WAYS = 4;

	/** As they are handed out, so that a look makes no object. */
	private final AtomicReferenceArray<Optional<CachedRefusal>> refusals;

	private final long longestNanos;

	/** Rules whose permits came back, though nothing in the rule set says why. */
	private final Set<String> unsettled = ConcurrentHashMap.newKeySet();

	/**
	 * Create an empty cache.
	 * @param longest how long a refusal is remembered at most; zero for not at all
	 */
	public DenyCache(Duration longest) {
		this(longest, longest.isZero() ? WAYS : ENTRIES);
	}

	DenyCache(Duration longest, int entries) {
		this.longestNanos = longest.toNanos();
		this.refusals = new AtomicReferenceArray<>(entries);
		for (int place = 0; place < entries; place++) {
			this.refusals.set(place, Optional.empty());
		}
	}

	/**
	 * A cache that remembers nothing.
	 * @return an empty cache
	 */
	public static DenyCache off() {
		return new DenyCache(Duration.ZERO);
	}

	/**
	 * Find a refusal that still holds.
	 * @param limit the limit that refused
	 * @param subject whom it refused
	 * @param cost what the request cost
	 * @param nowNanos the time on the monotonic clock
	 * @return the refusal, if one is remembered
	 */
	public Optional<CachedRefusal> find(Limit limit, Subject subject, long cost, long nowNanos) {
		int first = firstPlace(limit, subject, cost);
		for (int place = first; place < first + WAYS; place++) {
			Optional<CachedRefusal> refusal = this.refusals.get(place);
			if (refusal.isPresent() && refusal.get().isOf(limit, subject, cost) && refusal.get().holds(nowNanos)) {
				return refusal;
			}
		}
		return Optional.empty();
	}

	/**
	 * Remember a refusal.
	 * @param request what was asked
	 * @param usage what the store found
	 * @param sentNanos a time on the monotonic clock before the question was sent:
	 * whatever the store calls now came later
	 * @param answeredNanos when its answer was there
	 */
	public void remember(AcquireRequest request, List<Usage> usage, long sentNanos, long answeredNanos) {
		long endNanos = sentNanos + holdsNanos(usage);
		if (endNanos - answeredNanos > 0 && !this.unsettled.contains(request.limit().rule())) {
			put(new CachedRefusal(request, usage, answeredNanos, endNanos));
		}
	}

	/**
	 * Until the last window could admit, less the microsecond that a store rounds off.
	 */
	private long holdsNanos(List<Usage> usage) {
		long waitMicros = 0;
		for (Usage window : usage) {
			waitMicros = Math.max(waitMicros, window.retryMicros());
		}
		return (waitMicros > this.longestNanos / 1000) ? this.longestNanos : Math.max(0, waitMicros - 1) * 1000;
	}

	/** Who loses a race for a place is forgotten, and asks the store. */
	private void put(CachedRefusal refusal) {
		AcquireRequest request = refusal.request();
		int first = firstPlace(request.limit(), request.subject(), request.cost());
		int chosen = first;
		long soonestNanos = Long.MAX_VALUE;
		for (int place = first; place < first + WAYS; place++) {
			Optional<CachedRefusal> other = this.refusals.get(place);
			if (other.isEmpty() || other.get().isOf(request.limit(), request.subject(), request.cost())) {
				chosen = place;
				break;
			}
			long leftNanos = other.get().endNanos() - refusal.answeredNanos();
			if (leftNanos < soonestNanos) {
				soonestNanos = leftNanos;
				chosen = place;
			}
		}
		this.refusals.set(chosen, Optional.of(refusal));
	}

	private int firstPlace(Limit limit, Subject subject, long cost) {
		int hash = (subject.hashCode() * 31 + limit.hashCode()) * 31 + Long.hashCode(cost);
		int mixed = (hash ^ (hash >>> 16)) * 0x9E3779B9;
		return ((mixed ^ (mixed >>> 15)) & (this.refusals.length() / WAYS - 1)) * WAYS;
	}

	/**
	 * Forget the refusals of a client. Costs a look at every place: not for a request.
	 * @param rule the id of the rule that refused
	 * @param subject whom it refused
	 */
	public void forget(String rule, Subject subject) {
		for (int place = 0; place < this.refusals.length(); place++) {
			Optional<CachedRefusal> refusal = this.refusals.get(place);
			if (refusal.isPresent() && refusal.get().isOf(rule, subject)) {
				this.refusals.compareAndSet(place, refusal, Optional.empty());
			}
		}
	}

	/**
	 * A permit came back, for whatever reason. If the rule set did not say so, as where a
	 * filter forwards requests from the path of one rule to that of another, then
	 * refusals of its rule are not final after all: no more are remembered.
	 * @param rule the id of the rule
	 */
	public void permitCameBack(String rule) {
		this.unsettled.add(rule);
	}

}
