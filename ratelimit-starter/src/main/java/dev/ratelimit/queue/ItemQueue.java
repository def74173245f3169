package dev.ratelimit.queue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Keeps items until somebody has handled them, in the order of each subject, over all
 * instances. Each call is one step that happens wholly or not at all, on the store's own
 * clock, so that whoever dies between two of them leaves nothing half done. Items of one
 * subject are handed out one at a time: what fails holds back its own subject only. Never
 * throws, and is safe for concurrent use.
 */
public interface ItemQueue {

	/**
	 * Keep an item behind the others of its subject. The same id is kept once, however
	 * often this is repeated.
	 * @param of whose it is
	 * @param id its id, which nobody can guess
	 * @param fields what it is made of
	 * @param room how much may be kept
	 * @param maxWait how long to wait for the store
	 * @return whether it is kept
	 */
	EnqueueResult enqueue(QueuedSubject of, String id, Map<String, byte[]> fields, Room room, Duration maxWait);

	/**
	 * Whether a subject has items, so that another one must not overtake them.
	 * @param of the subject
	 * @param maxWait how long to wait for the store
	 * @return whether it has; empty if the store did not answer
	 */
	Optional<Boolean> hasItems(QueuedSubject of, Duration maxWait);

	/**
	 * Look at queues, without a change.
	 * @param rules the rules
	 * @param most how many due subjects of each to tell
	 * @param maxWait how long to wait for the store
	 * @return one sight per rule, in their order; empty where the store did not answer
	 */
	List<Optional<QueueStatus>> look(List<String> rules, int most, Duration maxWait);

	/**
	 * Take the first item of a subject, for as long as the lease lasts. If it is not
	 * heard of until then, it is handed out again.
	 * @param of the subject
	 * @param token the name of this hand-out, which no other one has
	 * @param worker the name of the worker
	 * @param lease how long the worker has it
	 * @param maxWait how long to wait for the store
	 * @return what came of it
	 */
	HandOut start(QueuedSubject of, String token, String worker, Duration lease, Duration maxWait);

	/**
	 * Prolong leases.
	 * @param items the items
	 * @param lease how long the worker has them from now on
	 * @param maxWait how long to wait for the store
	 * @return what the store said, in their order
	 */
	List<Acknowledgement> keep(List<LeasedItem> items, Duration lease, Duration maxWait);

	/**
	 * Hand an item back, to be handed out again later.
	 * @param item the item
	 * @param wait when
	 * @param counts whether this was an attempt
	 * @param maxWait how long to wait for the store
	 * @return what the store said
	 */
	Acknowledgement postpone(LeasedItem item, Duration wait, boolean counts, Duration maxWait);

	/**
	 * Tell that an item was handled.
	 * @param item the item
	 * @param known how long its state is to be known
	 * @param maxWait how long to wait for the store
	 * @return what the store said
	 */
	Acknowledgement done(LeasedItem item, Duration known, Duration maxWait);

	/**
	 * Tell that an item will not be tried again: it becomes a dead letter.
	 * @param item the item
	 * @param known how long its state is to be known
	 * @param burial what becomes of it
	 * @param maxWait how long to wait for the store
	 * @return what the store said
	 */
	Acknowledgement bury(LeasedItem item, Duration known, DeadLetterTerms burial, Duration maxWait);

	/**
	 * What has become of an item.
	 * @param rule its rule
	 * @param id its id
	 * @param maxWait how long to wait for the store
	 * @return at most one state, none if nobody knows the item; empty if the store did
	 * not answer
	 */
	Optional<List<ItemState>> state(String rule, String id, Duration maxWait);

	/**
	 * The dead letters of a rule, a page of them: the store reads each of them whole.
	 * @param rule the rule
	 * @param after the last entry of the page before; empty for the first page
	 * @param most how many to tell
	 * @param maxWait how long to wait for the store
	 * @return the oldest ones first; empty if the store did not answer
	 */
	Optional<List<DeadLetter>> dead(String rule, Optional<String> after, int most, Duration maxWait);

	/**
	 * Put a dead letter back into the queue, behind the other items of its subject.
	 * @param letter the letter
	 * @param maxWait how long to wait for the store
	 * @return what the store said; {@link Acknowledgement#NOT_YOURS} where there is no
	 * such letter any more
	 */
	Acknowledgement revive(DeadLetter letter, Duration maxWait);

	/**
	 * How much may be kept.
	 *
	 * @param ofSubject how many items a subject may have
	 * @param ofRule how many items a rule may have
	 * @param bytesOfRule how much memory of the store the items of a rule may take, with
	 * {@value #ITEM_BYTES} for each of them and {@value #SUBJECT_BYTES} for each subject
	 * that has any
	 */
	record Room(int ofSubject, int ofRule, long bytesOfRule) {

		/** What the store needs for an item besides its fields. */
		public static final int ITEM_BYTES = 500;

		/** What the store needs for a subject that has items. */
		public static final int SUBJECT_BYTES = 5000;

	}

	/** What came of asking for an item. */
	sealed interface HandOut {

		/**
		 * The item.
		 * @return the item, if one was handed out
		 */
		default Optional<LeasedItem> leased() {
			return (this instanceof Handed handed) ? Optional.of(handed.item()) : Optional.empty();
		}

	}

	/**
	 * The worker has the item.
	 *
	 * @param item the item
	 */
	record Handed(LeasedItem item) implements HandOut {
	}

	/** There is none to be handed out now. */
	record Nothing() implements HandOut {
	}

	/** The store has not answered, or could not write. The item is still due. */
	record Unheard() implements HandOut {
	}

}
