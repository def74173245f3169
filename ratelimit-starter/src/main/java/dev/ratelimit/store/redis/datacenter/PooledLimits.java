package dev.ratelimit.store.redis.datacenter;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.ratelimit.rule.RuleScope;
import dev.ratelimit.store.Limit;

/**
 * How each limit is divided between the data centres, computed once. Tested by
 * {@code SharedPoolsTests}.
 */
public final class PooledLimits {

	private final DataCenters dataCenters;

	private final Map<Limit, PooledLimit> limits = new ConcurrentHashMap<>();

	private volatile boolean open;

	public PooledLimits(DataCenters dataCenters) {
		this.dataCenters = dataCenters;
	}

	/**
	 * The arguments of a limit.
	 * @param limit a limit whose scope is everywhere
	 * @return the arguments of its scripts after the cost; the same object with every
	 * call
	 */
	public List<byte[]> arguments(Limit limit) {
		return find(limit).arguments(this.open);
	}

	/**
	 * Set whether anything may be taken from the pools. It may not before the first
	 * comparison with the other data centres, and while one of them is known to be
	 * configured differently.
	 */
	void open(boolean isOpen) {
		this.open = isOpen;
	}

	PooledLimit find(Limit limit) {
		PooledLimit known = this.limits.get(limit);
		return (known != null) ? known : this.limits.computeIfAbsent(limit,
				(added) -> new PooledLimit(added, (RuleScope.Everywhere) added.scope(), this.dataCenters));
	}

	void retain(Collection<Limit> inForce) {
		this.limits.keySet().retainAll(Set.copyOf(inForce));
	}

}
