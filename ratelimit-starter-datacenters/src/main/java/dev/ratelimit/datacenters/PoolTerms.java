package dev.ratelimit.datacenters;

/**
 * How data centres divide a threshold. Each is guaranteed its share; the rest is a pool.
 * All together they admit at most {@code threshold + (D - 1) * bound}, where D is their
 * number.
 *
 * @param threshold the permits of a window, for all data centres together
 * @param share the permits that a data centre may use whatever the others do
 * @param pool the permits beyond the shares
 * @param bound how many permits a data centre may have taken from the pool that the
 * others have not acknowledged yet
 */
public record PoolTerms(long threshold, long share, long pool, long bound) {

	/**
	 * Divide a threshold. If a part of the pool would be less than a permit, there is no
	 * pool: the threshold is divided, and its remainder goes to the first data centres,
	 * one permit each.
	 * @param scope the parts
	 * @param threshold the permits of a window
	 * @param dataCenters the number of data centres, at least 2
	 * @param index the place of this one in the order of their names, from 0
	 * @return the terms of this data centre
	 */
	public static PoolTerms of(Everywhere scope, long threshold, int dataCenters, int index) {
		long bound = threshold * scope.poolOvershootPercent() / (100L * (dataCenters - 1));
		if (bound == 0) {
			long share = threshold / dataCenters + ((index < threshold % dataCenters) ? 1 : 0);
			return new PoolTerms(threshold, share, 0, 0);
		}
		long share = threshold * scope.guaranteedSharePercent() / (100L * dataCenters);
		return new PoolTerms(threshold, share, threshold - dataCenters * share, bound);
	}

}
