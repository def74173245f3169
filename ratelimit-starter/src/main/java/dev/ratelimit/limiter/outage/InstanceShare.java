package dev.ratelimit.limiter.outage;

import java.util.OptionalInt;

/**
 * The part of every limit that belongs to this instance. The shares of all ranks add up
 * to the limit: what cannot be divided goes to the first ones, one each.
 *
 * @param instances among how many instances the limit is divided; at least 1
 * @param rank which of them this one is, from 0; where that is not known, it gets nothing
 * of the remainder
 */
public record InstanceShare(int instances, OptionalInt rank) {

	/** An instance that is alone, or believes to be. */
	public static final InstanceShare WHOLE = of(1, 0);

	public InstanceShare {
		if (instances < 1) {
			throw new IllegalArgumentException("There is at least 1 instance, not " + instances);
		}
		if (rank.isPresent() && (rank.getAsInt() < 0 || rank.getAsInt() >= instances)) {
			throw new IllegalArgumentException("Among %d instances there is no %s".formatted(instances, rank));
		}
	}

	static InstanceShare of(int instances, int rank) {
		return new InstanceShare(instances, OptionalInt.of(rank));
	}

	static InstanceShare unranked(int instances) {
		return (instances == 1) ? WHOLE : new InstanceShare(instances, OptionalInt.empty());
	}

	/**
	 * Divide.
	 * @param total what belongs to all instances together
	 * @return what belongs to this one, which may be nothing
	 */
	public long of(long total) {
		boolean more = this.rank.isPresent() && this.rank.getAsInt() < total % this.instances;
		return total / this.instances + (more ? 1 : 0);
	}

}
