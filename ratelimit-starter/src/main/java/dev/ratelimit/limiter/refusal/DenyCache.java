package dev.ratelimit.limiter.refusal;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

import dev.ratelimit.limiter.source.KnownWindows;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.Usage;
import dev.ratelimit.support.SetAssociativeTable;
import org.jspecify.annotations.Nullable;

/**
 * Caches refusals for as long as the store reported that they hold, but at most for a
 * given time. During that time a limit that was raised elsewhere has no effect here. Only
 * for rules whose {@link FinalRefusals refusals are final}. A refusal is repeated only
 * for the same cost: a smaller one may be admitted, and a larger one has a different
 * wait.
 * <p>
 * Safe for concurrent use, without a lock. A look-up costs a hash and at most four
 * comparisons, and allocates nothing. There are at most 16,384 refusals, which take about
 * 5 MB. A new refusal replaces the one among four that ends first. Evicting another
 * subject's refusal costs that subject one call of the store.
 */
public final class DenyCache {

	private static final int ENTRIES = 16_384;

	/** How many places a refusal may occupy. */
	private static final int WAYS = 4;

	private final SetAssociativeTable<CachedRefusal> refusals;

	private final long longestNanos;

	/**
	 * When a permit of a rule was released last, whether or not the rule set explains it.
	 */
	private final Map<String, Long> releasedNanos = new ConcurrentHashMap<>();

	/** The rules of which a refusal was cached since. */
	private final Set<String> cached = ConcurrentHashMap.newKeySet();

	/**
	 * Create an empty cache.
	 * @param longest how long a refusal is cached at most; zero disables the cache
	 */
	public DenyCache(Duration longest) {
		this(longest, longest.isZero() ? WAYS : ENTRIES);
	}

	DenyCache(Duration longest, int entries) {
		this.longestNanos = longest.toNanos();
		this.refusals = new SetAssociativeTable<>(entries, WAYS);
	}

	/**
	 * Create a cache that stores nothing.
	 * @return an empty cache
	 */
	public static DenyCache off() {
		return new DenyCache(Duration.ZERO);
	}

	/**
	 * Find a refusal that still holds.
	 * @param limit the limit that refused
	 * @param subject the refused subject
	 * @param cost how many permits the request costs
	 * @param nowNanos the time on the monotonic clock
	 * @return the refusal; {@code null} if none is cached
	 */
	public @Nullable CachedRefusal find(Limit limit, Subject subject, long cost, long nowNanos) {
		int first = firstPlace(limit, subject, cost);
		for (int place = first; place < first + WAYS; place++) {
			CachedRefusal refusal = this.refusals.get(place);
			if (refusal != null && refusal.isOf(limit, subject, cost) && refusal.holds(nowNanos)) {
				return refusal;
			}
		}
		return null;
	}

	/**
	 * Cache a refusal.
	 * @param request the refused request
	 * @param usage the state of the windows that the store returned
	 * @param sentNanos a time on the monotonic clock before the request was sent, so that
	 * the store's own current time was later
	 * @param answeredNanos when the result had arrived
	 */
	public void remember(AcquireRequest request, List<Usage> usage, long sentNanos, long answeredNanos) {
		long endNanos = sentNanos + holdsNanos(usage);
		String rule = request.limit().rule();
		if (endNanos - answeredNanos > 0 && isSettled(rule, sentNanos, this.longestNanos)) {
			this.cached.add(rule);
			put(new CachedRefusal(request, KnownWindows.refused(request.limit(), List.copyOf(usage)), answeredNanos,
					endNanos));
			if (!isSettled(rule, sentNanos, this.longestNanos)) {
				// A permit was released meanwhile.
				forget(rule, request.subject());
			}
		}
	}

	/**
	 * The time until the last window could admit, less the microsecond that a store
	 * rounds off.
	 */
	private long holdsNanos(List<Usage> usage) {
		long waitMicros = Usage.longestWaitMicros(usage);
		return (waitMicros > this.longestNanos / 1000) ? this.longestNanos : Math.max(0, waitMicros - 1) * 1000;
	}

	/**
	 * A refusal that loses a race for a place is dropped, and the next request calls the
	 * store.
	 */
	private void put(CachedRefusal refusal) {
		AcquireRequest request = refusal.request();
		int first = firstPlace(request.limit(), request.subject(), request.cost());
		int chosen = first;
		long soonestNanos = Long.MAX_VALUE;
		for (int place = first; place < first + WAYS; place++) {
			CachedRefusal other = this.refusals.get(place);
			if (other == null || other.isOf(request.limit(), request.subject(), request.cost())) {
				chosen = place;
				break;
			}
			long leftNanos = other.endNanos() - refusal.answeredNanos();
			if (leftNanos < soonestNanos) {
				soonestNanos = leftNanos;
				chosen = place;
			}
		}
		this.refusals.put(chosen, refusal);
	}

	private int firstPlace(Limit limit, Subject subject, long cost) {
		int hash = (subject.hashCode() * 31 + limit.hashCode()) * 31 + Long.hashCode(cost);
		return this.refusals.firstPlace(hash);
	}

	/**
	 * Drop the refusals of a client. Checks every place, so it must not be called per
	 * request.
	 * @param rule the id of the rule that refused
	 * @param subject the refused subject
	 */
	public void forget(String rule, Subject subject) {
		removeIf((refusal) -> refusal.isOf(rule, subject));
	}

	private void removeIf(Predicate<CachedRefusal> condition) {
		for (int place = 0; place < this.refusals.places(); place++) {
			CachedRefusal refusal = this.refusals.get(place);
			if (refusal != null && condition.test(refusal)) {
				this.refusals.remove(place, refusal);
			}
		}
	}

	/**
	 * Record that a permit was released, for whatever reason. The rule set may not
	 * explain it, for example if a filter forwards requests from the path of one rule to
	 * that of another. Then the refusals of the rule are not final after all: those that
	 * are cached are dropped, and for some time no more of them are cached.
	 * @param rule the id of the rule
	 * @param nowNanos the time on the monotonic clock
	 */
	public void permitReleased(String rule, long nowNanos) {
		if (this.longestNanos > 0 && isSettled(rule, nowNanos, this.longestNanos / 2)) {
			this.releasedNanos.put(rule, nowNanos);
			if (this.cached.remove(rule)) {
				removeIf((refusal) -> refusal.request().limit().rule().equals(rule));
			}
		}
	}

	private boolean isSettled(String rule, long nowNanos, long sinceNanos) {
		Long released = this.releasedNanos.get(rule);
		return released == null || nowNanos - released >= sinceNanos;
	}

	/**
	 * Start over, because other rules have come into force.
	 */
	public void clear() {
		this.releasedNanos.clear();
		this.refusals.clear();
	}

}
