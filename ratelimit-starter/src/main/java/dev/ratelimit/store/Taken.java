package dev.ratelimit.store;

import java.util.List;

/**
 * Permits that can be given back.
 *
 * @param question what was asked
 * @param receipts what the store said to it; empty if its answer was lost, or if it needs
 * none
 */
public record Taken(Question question, List<Long> receipts) {

	/**
	 * Permits whose answer was lost: they may have been taken.
	 * @param question what was asked
	 */
	public Taken(Question question) {
		this(question, List.of());
	}

	/**
	 * Another number of the same permits.
	 * @param permits how many; at least 1
	 * @return the permits
	 */
	public Taken of(long permits) {
		return new Taken(this.question.of(permits), this.receipts);
	}

}
