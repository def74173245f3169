package dev.ratelimit.store;

import java.util.List;

/**
 * Permits that were acquired, and how many of them stay counted. Tested by
 * {@code SettledPermitsTests}.
 *
 * @param permits the permits
 * @param amount how many of them are kept: 0 releases all, and never as many as were
 * acquired, because there is nothing to do then
 */
public record Settlement(AcquiredPermits permits, long amount) {

	public Settlement {
		if (amount < 0 || amount >= permits.request().cost()) {
			throw new IllegalArgumentException(
					"Of %d permits at least one is released and none more than once, so %d cannot stay"
						.formatted(permits.request().cost(), amount));
		}
	}

	/**
	 * A settlement that keeps none of them.
	 * @param permits the permits
	 * @return their release
	 */
	public static Settlement release(AcquiredPermits permits) {
		return new Settlement(permits, 0);
	}

	/**
	 * Settlements that keep none of several.
	 * @param permits the permits
	 * @return their release
	 */
	public static List<Settlement> release(List<AcquiredPermits> permits) {
		return permits.stream().map(Settlement::release).toList();
	}

	/**
	 * The permits that are not kept.
	 * @return all but the amount
	 */
	public AcquiredPermits released() {
		return (this.amount == 0) ? this.permits : this.permits.of(this.permits.request().cost() - this.amount);
	}

}
