package dev.ratelimit.store.memory;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.RLThreshold;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Subject;
import org.jspecify.annotations.Nullable;

/**
 * Buckets that several subjects of a rule share, chosen by the hash of the subject. A
 * bucket admits as much as any one of its subjects may have: no subject exceeds its
 * limit, and some are refused early. Subjects with other thresholds have separate
 * buckets, so no client is measured by the limit of another. Safe for concurrent use.
 */
final class SharedBuckets {

	private final int perLimit;

	/**
	 * The buckets of each place, by the thresholds of a plan or override. Used and
	 * changed only while the entry is locked.
	 */
	private final Map<SharedPlace, Map<List<RLThreshold>, SubjectState>> buckets = new ConcurrentHashMap<>();

	/**
	 * Create an instance without buckets.
	 * @param perLimit the maximum number of buckets per limit
	 */
	SharedBuckets(int perLimit) {
		this.perLimit = perLimit;
	}

	/** Use the bucket of a subject; it is created if absent. */
	void use(Limit limit, Subject subject, Supplier<SubjectState> fresh, Consumer<SubjectState> use) {
		this.buckets.compute(place(limit, subject), (place, existing) -> {
			Map<List<RLThreshold>, SubjectState> here = (existing != null) ? existing : new HashMap<>(2);
			use.accept(here.computeIfAbsent(limit.thresholds(), (missing) -> fresh.get()));
			return here;
		});
	}

	/**
	 * Use the bucket of a subject if it is present.
	 * @return whether it was
	 */
	boolean useExisting(Limit limit, Subject subject, Consumer<SubjectState> use) {
		boolean[] used = new boolean[1];
		this.buckets.computeIfPresent(place(limit, subject), (place, here) -> {
			SubjectState state = here.get(limit.thresholds());
			if (state != null) {
				use.accept(state);
				used[0] = true;
			}
			return here;
		});
		return used[0];
	}

	/**
	 * Whether a bucket of a subject, possibly of another plan, still contains anything
	 * that could matter.
	 */
	boolean isInUse(Limit limit, Subject subject, long nowMicros) {
		return !this.buckets.isEmpty() && isKept(place(limit, subject), nowMicros);
	}

	/** Drop the buckets in which nothing is left that could matter. */
	void sweep(long nowMicros) {
		this.buckets.keySet().forEach((place) -> isKept(place, nowMicros));
	}

	private boolean isKept(SharedPlace place, long nowMicros) {
		return this.buckets.computeIfPresent(place, (key, here) -> withoutIdle(here, nowMicros)) != null;
	}

	private static @Nullable Map<List<RLThreshold>, SubjectState> withoutIdle(Map<List<RLThreshold>, SubjectState> here,
			long nowMicros) {
		here.values().removeIf((state) -> state.isIdle(nowMicros));
		return here.isEmpty() ? null : here;
	}

	/** Approximate while others use them. */
	int size() {
		return this.buckets.values().stream().mapToInt(Map::size).sum();
	}

	void clear() {
		this.buckets.clear();
	}

	private SharedPlace place(Limit limit, Subject subject) {
		int hash = subject.hashCode();
		return new SharedPlace(limit.rule(), limit.algorithm(), Math.floorMod(hash ^ (hash >>> 16), this.perLimit));
	}

	private record SharedPlace(String rule, Algorithm algorithm, int number) {
	}

}
