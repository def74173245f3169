package dev.ratelimit.rule.lint;

import java.util.Locale;
import java.util.Optional;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Allowance;
import dev.ratelimit.rule.KeyOverride;
import dev.ratelimit.rule.LogEntries;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLThreshold;

import org.springframework.util.unit.DataSize;

/**
 * Estimates the Redis memory of one key of a log, the only algorithm whose memory grows
 * with the threshold.
 */
public final class LogMemory {

	/**
	 * Up to this number of entries a sorted set is one packed list
	 * (zset-max-listpack-entries).
	 */
	private static final long PACKED_ENTRIES = 128;

	/** The bytes of an entry in a packed list, by MEMORY USAGE of Redis 7.0. */
	private static final long PACKED_BYTES = 28;

	/**
	 * The bytes of an entry among 10,000; varies from 110 to 131 with the number of
	 * entries.
	 */
	private static final long BYTES = 122;

	private LogMemory() {
	}

	static Optional<String> warning(RLConfig rule, DataSize budget) {
		if (rule.counting().algorithm() != Algorithm.SLIDING_WINDOW_LOG) {
			return Optional.empty();
		}
		long entries = Math.max(LogEntries.most(rule.allowances().thresholdsOfPlans(), rule.counting().countOn()),
				largestOverride(rule));
		DataSize estimate = estimate(entries);
		return (estimate.compareTo(budget) <= 0) ? Optional.empty() : Optional
			.of("Rule '%s': one key of its sliding-window-log can grow to %d entries, about %s in Redis, more than ratelimit.log-memory-warning (%s). Use algorithm sliding-window-counter, whose keys stay small at any threshold, lower the threshold, or raise ratelimit.log-memory-warning."
				.formatted(rule.id(), entries, text(estimate), text(budget)));
	}

	/** Clients of an override never use a plan. */
	private static long largestOverride(RLConfig rule) {
		return rule.allowances()
			.overrides()
			.stream()
			.map(KeyOverride::allowance)
			.filter(Allowance.Limited.class::isInstance)
			.flatMap((allowance) -> ((Allowance.Limited) allowance).thresholds().stream())
			.mapToLong(RLThreshold::threshold)
			.max()
			.orElse(0);
	}

	/**
	 * Estimate the Redis memory of a log.
	 * @param entries the number of requests it holds
	 * @return its memory
	 */
	public static DataSize estimate(long entries) {
		return DataSize.ofBytes(entries * ((entries <= PACKED_ENTRIES) ? PACKED_BYTES : BYTES));
	}

	private static String text(DataSize size) {
		double kilobytes = size.toBytes() / 1024.0;
		if (kilobytes < 1) {
			return size.toBytes() + "B";
		}
		return (kilobytes < 1024) ? String.format(Locale.ROOT, "%.0fKB", kilobytes)
				: String.format(Locale.ROOT, "%.1fMB", kilobytes / 1024);
	}

}
