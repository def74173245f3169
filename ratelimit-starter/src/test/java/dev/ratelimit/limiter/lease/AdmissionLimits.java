package dev.ratelimit.limiter.lease;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import dev.ratelimit.limiter.lease.LeaseSchedule.Admission;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.RLThreshold;

/**
 * What an algorithm promises, counted from nothing but the instants of admissions.
 */
final class AdmissionLimits {

	private final Algorithm algorithm;

	private final List<Admission> admissions;

	AdmissionLimits(Algorithm algorithm, List<Admission> admissions) {
		this.algorithm = algorithm;
		this.admissions = new ArrayList<>(admissions);
		this.admissions.sort(Comparator.comparingLong(Admission::micros));
	}

	/**
	 * How far the fullest moment was above a threshold.
	 * @param threshold the threshold
	 * @return the permits above it; negative or zero where it held
	 */
	long excess(RLThreshold threshold) {
		long window = threshold.windowLength().toNanos() / 1000;
		long most = 0;
		for (int last = 0; last < this.admissions.size(); last++) {
			most = Math.max(most, used(last, window));
		}
		return most - threshold.threshold();
	}

	/** The permits that count right after an admission. */
	private long used(int last, long window) {
		long now = this.admissions.get(last).micros();
		long start = now - Math.floorMod(now, window);
		return switch (this.algorithm) {
			case SLIDING_WINDOW_LOG -> between(last, now - window + 1);
			case FIXED_WINDOW -> between(last, start);
			case SLIDING_WINDOW_COUNTER -> {
				long current = between(last, start);
				long previous = between(last, start - window) - current;
				yield previous * (start + window - now) / window + current;
			}
			case TOKEN_BUCKET, LEAKY_BUCKET -> throw new IllegalArgumentException("Buckets are not leased");
		};
	}

	private long between(int last, long fromMicros) {
		long sum = 0;
		for (int i = last; i >= 0 && this.admissions.get(i).micros() >= fromMicros; i--) {
			sum += this.admissions.get(i).cost();
		}
		return sum;
	}

}
