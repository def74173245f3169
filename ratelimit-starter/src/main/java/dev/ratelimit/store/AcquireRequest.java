package dev.ratelimit.store;

import java.util.Optional;

/**
 * A request to take permits of a limit for a subject, now or at a turn. Tested by
 * {@code RequestLimiterTests}.
 *
 * @param limit the limit
 * @param subject the counted client
 * @param cost the number of permits; at least 1
 * @param permit the name of this request for permits
 * @param wanted the number of permits to take ahead if there is room; at least the cost
 * @param turn how long the request can be delayed until its turn; empty where the permits
 * are to be taken now or not at all. Only a limit that {@linkplain Limit#givesTurns()
 * gives turns} accepts one
 */
public record AcquireRequest(Limit limit, Subject subject, long cost, PermitId permit, long wanted,
		Optional<WaitRange> turn) {

	public AcquireRequest {
		if (cost < 1 || wanted < cost) {
			throw new IllegalArgumentException(
					"The cost is at least 1, and no more than what is wanted: %d of %d".formatted(cost, wanted));
		}
		if (turn.isPresent() && !limit.givesTurns()) {
			throw new IllegalArgumentException("No caller can wait for a turn of " + limit);
		}
		if (limit.paces() && turn.filter((range) -> range.notBeforeMicros() > 0).isPresent()) {
			throw new IllegalArgumentException("A turn of %s comes as soon as it can".formatted(limit));
		}
	}

	/**
	 * A request that is not delayed.
	 * @param limit the limit
	 * @param subject the counted client
	 * @param cost the number of permits; at least 1
	 * @param permit the name of this request for permits
	 * @param wanted the number of permits to take ahead if there is room; at least the
	 * cost
	 */
	public AcquireRequest(Limit limit, Subject subject, long cost, PermitId permit, long wanted) {
		this(limit, subject, cost, permit, wanted, Optional.empty());
	}

	/**
	 * A request for the permits that are needed now, with none ahead.
	 * @param limit the limit
	 * @param subject the counted client
	 * @param cost the number of permits; at least 1
	 * @param permit the name of this request for permits
	 */
	public AcquireRequest(Limit limit, Subject subject, long cost, PermitId permit) {
		this(limit, subject, cost, permit, cost, Optional.empty());
	}

	/**
	 * Whether permits are to be taken ahead. If so, the store takes as many as are
	 * wanted, but no more than half of what is left in any window. The cost itself is
	 * exempt from that bound.
	 * @return whether the result may be {@link AcquireResult.Reserved}
	 */
	public boolean isAhead() {
		return this.wanted > this.cost;
	}

	/**
	 * Whether it only delays others: a turn that must not come before some time. A
	 * subject has one pause, which is never released, as another caller may have
	 * prolonged it.
	 * @return whether it is a pause
	 */
	public boolean isPause() {
		return this.turn.isPresent() && this.turn.get().notBeforeMicros() > 0;
	}

	/**
	 * The same request for another number of permits, with none ahead.
	 * @param cost the number of permits
	 * @return the request
	 */
	public AcquireRequest of(long cost) {
		return new AcquireRequest(this.limit, this.subject, cost, this.permit, cost, this.turn);
	}

}
