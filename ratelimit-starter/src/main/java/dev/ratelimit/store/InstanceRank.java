package dev.ratelimit.store;

/**
 * Where an instance stands among all that live.
 *
 * @param rank how many come before it; below {@code instances}
 * @param instances how many live, this one included; at least 1
 */
public record InstanceRank(int rank, int instances) {

	public InstanceRank {
		if (rank < 0 || rank >= instances) {
			throw new IllegalArgumentException("Among %d instances there is no rank %d".formatted(instances, rank));
		}
	}

}
