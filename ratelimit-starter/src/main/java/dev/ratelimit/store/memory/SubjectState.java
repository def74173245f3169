package dev.ratelimit.store.memory;

import java.util.List;

import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Usage;

/**
 * What is remembered of one rule and subject: the twin of what a script keeps under one
 * key. Not safe for concurrent use.
 */
interface SubjectState {

	/**
	 * Decide, and take the permits if all windows have room.
	 * @param limit the limit
	 * @param id the name of the permits
	 * @param cost how many
	 * @param nowMicros the time of the decision
	 * @return admitted or refused
	 */
	AcquireResult acquire(Limit limit, String id, long cost, long nowMicros);

	/**
	 * Look, and change nothing.
	 * @param limit the limit
	 * @param nowMicros the time
	 * @return what a request for one permit would find
	 */
	List<Usage> peek(Limit limit, long nowMicros);

	/**
	 * Take permits back.
	 * @param limit the limit
	 * @param id the name of the permits
	 * @param cost how many
	 * @param receipts what the admission said
	 * @return whether they could be told apart
	 */
	boolean release(Limit limit, String id, long cost, List<Long> receipts);

	/**
	 * Whether nothing is left that could matter.
	 * @param nowMicros the time
	 * @return whether this can be forgotten
	 */
	boolean isIdle(long nowMicros);

}
