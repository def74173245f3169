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

}
