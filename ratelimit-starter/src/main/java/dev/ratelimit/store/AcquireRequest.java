package dev.ratelimit.store;

import java.util.Optional;

/**
 * May this subject take so many permits of this limit now, or at a turn?
 *
 * @param limit the limit
 * @param subject who asks
 * @param cost how many permits; at least 1
 * @param permit the name of this request for permits
 * @param wanted how many would be taken ahead if there is room; at least the cost
 * @param turn how long it can be put off, for its turn; empty where the permits are to be
 * taken now or not at all. Only a limit that {@linkplain Limit#givesTurns() gives turns}
 * can be asked for one
 */
public record AcquireRequest(Limit limit, Subject subject, long cost, PermitId permit, long wanted,
		Optional<WaitRange> turn) {

	public AcquireRequest {
		if (cost < 1 || wanted < cost) {
			throw new IllegalArgumentException(
					"The cost is at least 1, and no more than what is wanted: %d of %d".formatted(cost, wanted));
		}
		if (turn.isPresent() && !limit.givesTurns()) {
			throw new IllegalArgumentException("Nobody can wait for a turn of " + limit);
		}
		if (limit.paces() && turn.filter((range) -> range.notBeforeMicros() > 0).isPresent()) {
			throw new IllegalArgumentException("A turn of %s comes as soon as it can".formatted(limit));
		}
	}

	/**
	 * A question that is not put off.
	 * @param limit the limit
	 * @param subject who asks
	 * @param cost how many permits; at least 1
	 * @param permit the name of this request for permits
	 * @param wanted how many would be taken ahead if there is room; at least the cost
	 */
	public AcquireRequest(Limit limit, Subject subject, long cost, PermitId permit, long wanted) {
		this(limit, subject, cost, permit, wanted, Optional.empty());
	}

	/**
	 * A question for what is needed now, and nothing ahead.
	 * @param limit the limit
	 * @param subject who asks
	 * @param cost how many permits; at least 1
	 * @param permit the name of this request for permits
	 */
	public AcquireRequest(Limit limit, Subject subject, long cost, PermitId permit) {
		this(limit, subject, cost, permit, cost, Optional.empty());
	}

	/**
	 * Whether permits are to be taken ahead. Then the store takes as many as are wanted,
	 * but no more than half of what is left in any window, except for the cost itself.
	 * @return whether the answer may be {@link AcquireResult.Reserved}
	 */
	public boolean isAhead() {
		return this.wanted > this.cost;
	}

	/**
	 * The same question for another number of permits, and nothing ahead.
	 * @param cost how many permits
	 * @return the question
	 */
	public AcquireRequest of(long cost) {
		return new AcquireRequest(this.limit, this.subject, cost, this.permit, cost, this.turn);
	}

}
