package dev.ratelimit.limiter.instances;

import java.util.Optional;
import java.util.OptionalInt;

import dev.ratelimit.rule.RuleScope;
import dev.ratelimit.spi.LimitScope;

/**
 * The part of every limit that belongs to this instance. The shares of all ranks add up
 * to the limit: the remainder of the division goes to the first instances, one permit
 * each.
 *
 * @param instances the number of instances among which the limit is divided; at least 1
 * @param rank the rank of this instance, from 0; if it is unknown, the instance gets
 * nothing of the remainder
 * @param scope knows which part of some limits the instances share
 */
public record InstanceShare(int instances, OptionalInt rank, Optional<LimitScope> scope) {

	/** The share of an instance that is alone, or assumes so. */
	public static final InstanceShare WHOLE = of(1, 0);

	public InstanceShare {
		if (instances < 1) {
			throw new IllegalArgumentException("There is at least 1 instance, not " + instances);
		}
		if (rank.isPresent() && (rank.getAsInt() < 0 || rank.getAsInt() >= instances)) {
			throw new IllegalArgumentException("Among %d instances there is no %s".formatted(instances, rank));
		}
	}

	/**
	 * The share of an instance of all limits.
	 * @param instances the number of instances among which the limit is divided
	 * @param rank the rank of this instance, from 0
	 */
	public InstanceShare(int instances, OptionalInt rank) {
		this(instances, rank, Optional.empty());
	}

	static InstanceShare of(int instances, int rank) {
		return new InstanceShare(instances, OptionalInt.of(rank));
	}

	static InstanceShare unranked(int instances) {
		return (instances == 1) ? WHOLE : new InstanceShare(instances, OptionalInt.empty());
	}

	/**
	 * The same instance, where a module counts some limits.
	 * @param scope knows which part of them the instances share
	 * @return its share
	 */
	public InstanceShare within(LimitScope scope) {
		return new InstanceShare(this.instances, this.rank, Optional.of(scope));
	}

	/**
	 * Divide a number of permits of a rule.
	 * @param scope the scope of the rule
	 * @param total the permits
	 * @return what belongs to this instance, which may be zero
	 */
	public long of(RuleScope scope, long total) {
		return of(this.scope.filter((its) -> its.covers(scope)).map((its) -> its.share(scope, total)).orElse(total));
	}

	/**
	 * Divide a number of permits.
	 * @param total what belongs to all instances together
	 * @return what belongs to this instance, which may be zero
	 */
	public long of(long total) {
		boolean more = this.rank.isPresent() && this.rank.getAsInt() < total % this.instances;
		return total / this.instances + (more ? 1 : 0);
	}

}
