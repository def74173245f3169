package dev.ratelimit.limiter.instances;

import dev.ratelimit.store.redis.datacenter.Everywhere;
import java.util.OptionalInt;

import dev.ratelimit.store.redis.datacenter.PoolTerms;
import dev.ratelimit.rule.RuleScope;

/**
 * The part of every limit that belongs to this instance. The shares of all ranks add up
 * to the limit: the remainder of the division goes to the first instances, one permit
 * each.
 *
 * @param instances the number of instances among which the limit is divided; at least 1
 * @param rank the rank of this instance, from 0; if it is unknown, the instance gets
 * nothing of the remainder
 * @param dataCenters the number of data centres that share limits; at least 1
 * @param dataCenter the place of this one among them, from 0
 */
public record InstanceShare(int instances, OptionalInt rank, int dataCenters, int dataCenter) {

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
	 * The share of an instance in the only data centre.
	 * @param instances the number of instances among which the limit is divided
	 * @param rank the rank of this instance, from 0
	 */
	public InstanceShare(int instances, OptionalInt rank) {
		this(instances, rank, 1, 0);
	}

	static InstanceShare of(int instances, int rank) {
		return new InstanceShare(instances, OptionalInt.of(rank));
	}

	static InstanceShare unranked(int instances) {
		return (instances == 1) ? WHOLE : new InstanceShare(instances, OptionalInt.empty());
	}

	/**
	 * The same instance of one of several data centres.
	 * @param size the number of data centres
	 * @param index the place of this one among them, from 0
	 * @return its share
	 */
	public InstanceShare among(int size, int index) {
		return new InstanceShare(this.instances, this.rank, size, index);
	}

	/**
	 * Divide a number of permits of a rule. Of a limit that data centres share, only what
	 * is guaranteed to this one is divided.
	 * @param scope the scope of the rule
	 * @param total the permits
	 * @return what belongs to this instance, which may be zero
	 */
	public long of(RuleScope scope, long total) {
		boolean shared = this.dataCenters > 1 && scope instanceof Everywhere;
		return of(shared ? PoolTerms.of((Everywhere) scope, total, this.dataCenters, this.dataCenter).share() : total);
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
