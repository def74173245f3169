package dev.ratelimit.store;

/**
 * The position of an instance among all live instances. Tested by
 * {@code RedisInstancesTests}.
 *
 * @param rank the number of instances before it; below {@code instances}
 * @param instances the number of live instances, including this one; at least 1
 */
public record InstanceRank(int rank, int instances) {

	public InstanceRank {
		if (rank < 0 || rank >= instances) {
			throw new IllegalArgumentException("Among %d instances there is no rank %d".formatted(instances, rank));
		}
	}

}
