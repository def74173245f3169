package dev.ratelimit.store.memory;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

import dev.ratelimit.rule.RLThreshold;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.memory.MemoryStore.Counted;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the subjects of each rule that have their own buckets. The others share some,
 * chosen by the hash of the subject. A shared bucket admits as much as any one of its
 * subjects may have: no subject exceeds its limit, and some are refused early. Subjects
 * with other thresholds have separate buckets, so no client is measured by the limit of
 * another. Safe for concurrent use.
 */
final class SharedBuckets {

	private static final long QUIET_MICROS = Duration.ofMinutes(1).toNanos() / 1000;

	private final int mostOwn;

	private final int perLimit;

	private final Consumer<String> listener;

	/** How many subjects of each rule have their own buckets. */
	private final Map<String, AtomicInteger> subjects = new ConcurrentHashMap<>();

	/**
	 * The buckets of each place, by the thresholds of a plan or override. Used and
	 * changed only while the entry is locked.
	 */
	private final Map<SharedPlace, Map<List<RLThreshold>, SubjectState>> buckets = new ConcurrentHashMap<>();

	private final LongAdder decisions = new LongAdder();

	private final AtomicLong reportedMicros = new AtomicLong(Long.MIN_VALUE / 2);

	/**
	 * Create an instance without subjects.
	 * @param mostOwn the maximum number of subjects of a rule that have their own buckets
	 * @param perLimit the maximum number of buckets that the others share, per limit
	 * @param listener receives the ids of rules whose subjects share, once a minute at
	 * most
	 */
	SharedBuckets(int mostOwn, int perLimit, Consumer<String> listener) {
		this.mostOwn = mostOwn;
		this.perLimit = perLimit;
		this.listener = listener;
	}

	/**
	 * Let a subject have its own bucket.
	 * @param newcomer the subject
	 * @param nowMicros the time
	 * @return whether there was room, and nothing of it is left in a shared bucket
	 */
	boolean enter(Counted newcomer, long nowMicros) {
		return !isInUse(newcomer, nowMicros) && subjectsOf(newcomer.rule())
			.getAndUpdate((before) -> Math.min(this.mostOwn, before + 1)) < this.mostOwn;
	}

	/** A subject has its own bucket no longer. */
	void leave(String rule) {
		subjectsOf(rule).decrementAndGet();
	}

	private AtomicInteger subjectsOf(String rule) {
		return this.subjects.computeIfAbsent(rule, (missing) -> new AtomicInteger());
	}

	/** Use the bucket of a subject; it is created if absent. */
	void use(Counted counted, Limit limit, Consumer<SubjectState> use) {
		this.decisions.increment();
		this.buckets.compute(place(counted), (place, existing) -> {
			Map<List<RLThreshold>, SubjectState> here = (existing != null) ? existing : new HashMap<>(2);
			use.accept(here.computeIfAbsent(limit.thresholds(), (missing) -> SubjectState.of(limit)));
			return here;
		});
	}

	/**
	 * Use the bucket of a subject if it is present.
	 * @return whether it was
	 */
	boolean useExisting(Counted counted, Limit limit, Consumer<SubjectState> use) {
		boolean[] used = new boolean[1];
		this.buckets.computeIfPresent(place(counted), (place, here) -> {
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
	boolean isInUse(Counted counted, long nowMicros) {
		return !this.buckets.isEmpty() && isKept(place(counted), nowMicros);
	}

	/**
	 * Report that a subject of a rule shares, if that is due. The caller holds no lock.
	 */
	void report(String rule, long nowMicros) {
		long reported = this.reportedMicros.get();
		if (Math.abs(nowMicros - reported) >= QUIET_MICROS && this.reportedMicros.compareAndSet(reported, nowMicros)) {
			this.listener.accept(rule);
		}
	}

	/** How often a subject has shared. */
	long decisions() {
		return this.decisions.sum();
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
		this.subjects.clear();
		this.buckets.clear();
	}

	private SharedPlace place(Counted counted) {
		int hash = counted.subject().hashCode();
		return new SharedPlace(counted.rule(), counted.kind(), Math.floorMod(hash ^ (hash >>> 16), this.perLimit));
	}

	private record SharedPlace(String rule, Enum<?> kind, int number) {
	}

}
