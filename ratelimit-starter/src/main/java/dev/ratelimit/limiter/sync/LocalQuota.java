package dev.ratelimit.limiter.sync;

import java.util.Optional;

import dev.ratelimit.limiter.outage.InstanceShare;

/**
 * How much of a limit an instance may admit without asking. Nothing where it does not
 * know how many instances there are; else its share of what is left, and at most its
 * share of the overshoot: together the instances, and one that nobody has heard of yet,
 * never hold more than that back from the store.
 *
 * @param share the share of the instance, if it is known
 * @param overshootPercent which part of a threshold may be admitted above it
 */
record LocalQuota(Optional<InstanceShare> share, int overshootPercent) {

	/**
	 * The most that may be admitted without asking.
	 * @param threshold the threshold
	 * @return how many permits
	 */
	long most(long threshold) {
		return this.share.map((known) -> threshold * this.overshootPercent / 100 / (known.instances() + 1)).orElse(0L);
	}

	/**
	 * What may be admitted without asking when so much is left.
	 * @param threshold the threshold
	 * @param remaining what the store has left of it
	 * @return how many permits
	 */
	long of(long threshold, long remaining) {
		return this.share.map((known) -> Math.min(most(threshold), Math.max(0, remaining) / known.instances()))
			.orElse(0L);
	}

}
