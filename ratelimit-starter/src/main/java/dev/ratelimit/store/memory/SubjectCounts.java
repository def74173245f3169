package dev.ratelimit.store.memory;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * Counts the subjects of each rule that have their own buckets, which are bounded, and
 * how often others had to share. Safe for concurrent use. Tested by
 * {@code StoreContractTests}.
 */
final class SubjectCounts {

	private static final long QUIET_MICROS = Duration.ofMinutes(1).toNanos() / 1000;

	private final int mostPerRule;

	private final Consumer<String> shares;

	private final Map<String, AtomicInteger> subjects = new ConcurrentHashMap<>();

	private final LongAdder shared = new LongAdder();

	private final AtomicLong warnedMicros = new AtomicLong(Long.MIN_VALUE / 2);

	private final AtomicReference<@Nullable String> toReport = new AtomicReference<>();

	/**
	 * Create an instance without subjects.
	 * @param mostPerRule the maximum number of subjects of a rule that have their own
	 * buckets
	 * @param shares receives the ids of rules whose subjects share, once a minute at most
	 */
	SubjectCounts(int mostPerRule, Consumer<String> shares) {
		this.mostPerRule = mostPerRule;
		this.shares = shares;
	}

	/**
	 * Let a subject have its own bucket.
	 * @param rule the id of its rule
	 * @return whether there was room
	 */
	boolean enter(String rule) {
		AtomicInteger here = of(rule);
		int before = here.get();
		while (before < this.mostPerRule) {
			if (here.compareAndSet(before, before + 1)) {
				return true;
			}
			before = here.get();
		}
		return false;
	}

	/** Let a subject have its own bucket, whether or not there is room. */
	void force(String rule) {
		of(rule).incrementAndGet();
	}

	void leave(String rule) {
		of(rule).decrementAndGet();
	}

	private AtomicInteger of(String rule) {
		AtomicInteger known = this.subjects.get(rule);
		return (known != null) ? known : this.subjects.computeIfAbsent(rule, (missing) -> new AtomicInteger());
	}

	/**
	 * Count a decision on a subject of a rule that shares a bucket. The caller holds a
	 * lock; it is to {@linkplain #report() report} once it has released it.
	 */
	void shares(String rule, long nowMicros) {
		this.shared.increment();
		long warned = this.warnedMicros.get();
		if (Math.abs(nowMicros - warned) >= QUIET_MICROS && this.warnedMicros.compareAndSet(warned, nowMicros)) {
			this.toReport.set(rule);
		}
	}

	/** Report the rule whose subjects share, if that is due. */
	void report() {
		if (this.toReport.get() != null) {
			String rule = this.toReport.getAndSet(null);
			if (rule != null) {
				this.shares.accept(rule);
			}
		}
	}

	long shared() {
		return this.shared.sum();
	}

	void clear() {
		this.subjects.clear();
	}

}
