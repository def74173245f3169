package dev.ratelimit.limiter.sync;

import java.util.Optional;

import dev.ratelimit.limiter.instances.InstanceShare;

/**
 * The part of a limit that an instance may admit without calling the store. It is zero if
 * the number of instances is unknown. Otherwise it is the instance's share of what is
 * left, and at most its share of the overshoot. So all instances together, including one
 * that is not known yet, never withhold more than the overshoot from the store.
 *
 * @param share the share of the instance, if it is known
 * @param overshootPercent which part of a threshold may be admitted above it
 */
record LocalQuota(Optional<InstanceShare> share, int overshootPercent) {

	/**
	 * The most that may be admitted without calling the store.
	 * @param threshold the threshold
	 * @return how many permits
	 */
	long most(long threshold) {
		return this.share.map((known) -> threshold * this.overshootPercent / 100 / (known.instances() + 1)).orElse(0L);
	}

	/**
	 * What may be admitted without calling the store for a given remainder.
	 * @param threshold the threshold
	 * @param remaining what the store has left of it
	 * @return how many permits
	 */
	long of(long threshold, long remaining) {
		return this.share.map((known) -> Math.min(most(threshold), Math.max(0, remaining) / known.instances()))
			.orElse(0L);
	}

}
