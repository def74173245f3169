package dev.ratelimit.queue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.ratelimit.spi.Standing;

/**
 * Stores items until they were handled, in the order of each subject, over all instances.
 * Each call is one step that happens wholly or not at all, on the store's own clock, so a
 * process that dies between two of them leaves nothing half done. Items of one subject
 * are leased one at a time: an item that fails delays its own subject only. Never throws,
 * and is safe for concurrent use.
 */
public interface ItemQueue {

	/**
	 * Enqueue an item behind the others of its subject. An id is enqueued once, however
	 * often this is repeated.
	 * @param subject the subject that it belongs to
	 * @param id its id, which cannot be guessed
	 * @param fields the fields of the item
	 * @param room how much may be stored
	 * @param maxWait how long to wait for the store
	 * @return whether it is enqueued
	 */
	EnqueueResult enqueue(QueuedSubject subject, String id, Map<String, byte[]> fields, Room room, Duration maxWait);

	/**
	 * Whether a subject has items, so that another one must not overtake them.
	 * @param subject the subject
	 * @param maxWait how long to wait for the store
	 * @return whether it has, as far as the store has answered
	 */
	Standing backlog(QueuedSubject subject, Duration maxWait);

	/**
	 * Read the status of queues, without a change.
	 * @param rules the rules
	 * @param most how many due subjects of each rule to return
	 * @param maxWait how long to wait for the store
	 * @return one status per rule, in their order; empty where the store did not answer
	 */
	List<Optional<QueueStatus>> statuses(List<String> rules, int most, Duration maxWait);

	/**
	 * Lease the first item of a subject. If the lease expires before it is prolonged or
	 * the item has ended, the item is leased again.
	 * @param subject the subject
	 * @param token the unique name of this lease
	 * @param worker the name of the worker
	 * @param lease how long the worker has the item
	 * @param maxWait how long to wait for the store
	 * @return the result
	 */
	HandOut start(QueuedSubject subject, String token, String worker, Duration lease, Duration maxWait);

	/**
	 * Prolong leases.
	 * @param items the items
	 * @param lease how long the worker has them from now on
	 * @param maxWait how long to wait for the store
	 * @return the store's replies, in the order of the items
	 */
	List<Acknowledgement> renew(List<LeasedItem> items, Duration lease, Duration maxWait);

	/**
	 * End the lease of an item, to be leased again later.
	 * @param item the item
	 * @param wait how long until then
	 * @param counts whether this was an attempt
	 * @param maxWait how long to wait for the store
	 * @return the store's reply
	 */
	Acknowledgement postpone(LeasedItem item, Duration wait, boolean counts, Duration maxWait);

	/**
	 * Report that an item was handled.
	 * @param item the item
	 * @param known how long its state can be queried
	 * @param maxWait how long to wait for the store
	 * @return the store's reply
	 */
	Acknowledgement done(LeasedItem item, Duration known, Duration maxWait);

	/**
	 * Report that an item will not be retried: it becomes a dead letter.
	 * @param item the item
	 * @param known how long its state can be queried
	 * @param burial how it is stored as a dead letter
	 * @param maxWait how long to wait for the store
	 * @return the store's reply
	 */
	Acknowledgement bury(LeasedItem item, Duration known, DeadLetterTerms burial, Duration maxWait);

	/**
	 * Query the state of an item.
	 * @param rule its rule
	 * @param id its id
	 * @param maxWait how long to wait for the store
	 * @return at most one state, none if the item is unknown; empty if the store did not
	 * answer
	 */
	Optional<List<ItemState>> state(String rule, String id, Duration maxWait);

	/**
	 * Read a page of the dead letters of a rule: the store reads each of them whole.
	 * @param rule the rule
	 * @param after the last entry of the page before; empty for the first page
	 * @param most how many to return
	 * @param maxWait how long to wait for the store
	 * @return the dead letters, oldest first; empty if the store did not answer
	 */
	Optional<List<DeadLetter>> dead(String rule, Optional<String> after, int most, Duration maxWait);

	/**
	 * Enqueue a dead letter again, behind the other items of its subject.
	 * @param letter the letter
	 * @param maxWait how long to wait for the store
	 * @return the store's reply; {@link Acknowledgement#NOT_YOURS} if the letter no
	 * longer exists
	 */
	Acknowledgement revive(DeadLetter letter, Duration maxWait);

	/**
	 * How much may be stored.
	 *
	 * @param ofSubject how many items a subject may have
	 * @param ofRule how many items a rule may have
	 * @param bytesOfRule how much memory of the store the items of a rule may take, with
	 * {@value #ITEM_BYTES} for each of them and {@value #SUBJECT_BYTES} for each subject
	 * that has any
	 */
	record Room(int ofSubject, int ofRule, long bytesOfRule) {

		/** The bytes that the store needs for an item besides its fields. */
		public static final int ITEM_BYTES = 500;

		/** The bytes that the store needs for a subject that has items. */
		public static final int SUBJECT_BYTES = 5000;

	}

	/** The result of requesting an item. */
	sealed interface HandOut {

		/**
		 * The leased item.
		 * @return the item, if one was leased
		 */
		default Optional<LeasedItem> leased() {
			return (this instanceof Handed handed) ? Optional.of(handed.item()) : Optional.empty();
		}

	}

	/**
	 * The item was leased to the worker.
	 *
	 * @param item the item
	 */
	record Handed(LeasedItem item) implements HandOut {
	}

	/** There is no item to lease now. */
	record Nothing() implements HandOut {
	}

	/** The store has not answered, or could not write. The item is still due. */
	record NoReply() implements HandOut {
	}

}
