package dev.ratelimit.store;

/**
 * May this subject take so many permits of this limit now?
 *
 * @param limit the limit
 * @param subject who asks
 * @param cost how many permits; at least 1
 * @param permit the name of this request for permits
 */
public record Question(Limit limit, Subject subject, long cost, PermitId permit) {

	public Question {
		if (cost < 1) {
			throw new IllegalArgumentException("The cost is at least 1, not " + cost);
		}
	}

}
