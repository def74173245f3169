package dev.ratelimit.store.memory;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.RLThreshold;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Subject;

/**
 * Buckets that several subjects of a rule share, chosen by the hash of the subject. A
 * bucket admits as much as any one of its subjects may have: no subject exceeds its
 * limit, and some are refused early. Subjects with other thresholds have separate
 * buckets, so no client is measured by the limit of another. Safe for concurrent use.
 */
final class SharedBuckets {

	private final int perLimit;

	private final Map<Bucket, SubjectState> states = new ConcurrentHashMap<>();

	/** The thresholds of each rule, by plan and override, that have had buckets. */
	private final Map<Counting, Set<List<RLThreshold>>> thresholds = new ConcurrentHashMap<>();

	/**
	 * Create an instance without buckets.
	 * @param perLimit the maximum number of buckets per limit
	 */
	SharedBuckets(int perLimit) {
		this.perLimit = perLimit;
	}

	/** Use the bucket of a subject; it is created if absent. */
	void use(Limit limit, Subject subject, Supplier<SubjectState> fresh, Consumer<SubjectState> use) {
		this.thresholds.computeIfAbsent(Counting.of(limit), (missing) -> ConcurrentHashMap.newKeySet())
			.add(limit.thresholds());
		this.states.compute(bucket(limit, subject), (bucket, existing) -> {
			SubjectState state = (existing != null) ? existing : fresh.get();
			use.accept(state);
			return state;
		});
	}

	/**
	 * Use the bucket of a subject if it is present.
	 * @return whether it was
	 */
	boolean useExisting(Limit limit, Subject subject, Consumer<SubjectState> use) {
		return this.states.computeIfPresent(bucket(limit, subject), (bucket, state) -> {
			use.accept(state);
			return state;
		}) != null;
	}

	/**
	 * Whether a bucket of a subject, possibly of another plan, still contains anything
	 * that could matter.
	 */
	boolean isInUse(Limit limit, Subject subject, long nowMicros) {
		if (this.states.isEmpty()) {
			return false;
		}
		Counting counting = Counting.of(limit);
		int place = place(subject);
		return this.thresholds.getOrDefault(counting, Set.of())
			.stream()
			.anyMatch((some) -> isKept(new Bucket(counting, some, place), nowMicros));
	}

	/** Drop the buckets in which nothing is left that could matter. */
	void sweep(long nowMicros) {
		this.states.keySet().forEach((bucket) -> isKept(bucket, nowMicros));
	}

	private boolean isKept(Bucket bucket, long nowMicros) {
		return this.states.computeIfPresent(bucket, (key, state) -> state.isIdle(nowMicros) ? null : state) != null;
	}

	int size() {
		return this.states.size();
	}

	void clear() {
		this.states.clear();
		this.thresholds.clear();
	}

	private Bucket bucket(Limit limit, Subject subject) {
		return new Bucket(Counting.of(limit), limit.thresholds(), place(subject));
	}

	private int place(Subject subject) {
		int hash = subject.hashCode();
		return Math.floorMod(hash ^ (hash >>> 16), this.perLimit);
	}

	private record Counting(String rule, Algorithm algorithm) {

		static Counting of(Limit limit) {
			return new Counting(limit.rule(), limit.algorithm());
		}

	}

	private record Bucket(Counting counting, List<RLThreshold> thresholds, int place) {
	}

}
