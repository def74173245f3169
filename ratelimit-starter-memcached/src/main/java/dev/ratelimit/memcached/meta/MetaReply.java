package dev.ratelimit.memcached.meta;

import dev.ratelimit.store.wire.ErrorReply;

/**
 * The reply to one meta command.
 */
public sealed interface MetaReply {

	/**
	 * A count.
	 *
	 * @param count the count, at most {@link #LARGEST}
	 * @param secondsLeft how long it lives: at most that many whole seconds, and more
	 * than one less; 0 if the command has not requested it, negative if it lives for ever
	 */
	record Count(long count, long secondsLeft) implements MetaReply {

		/** More than any threshold; two of these can be added. */
		public static final long LARGEST = Long.MAX_VALUE / 2;

	}

	/** The command ran and has no value. */
	record Done() implements MetaReply {
	}

	/**
	 * What a server reports of itself.
	 *
	 * @param evictions how many items it has evicted since it started
	 */
	record Statistics(long evictions) implements MetaReply {
	}

	/** There is no such key. */
	record NotFound() implements MetaReply {
	}

	/**
	 * The command did not run, or what it read is no count.
	 *
	 * @param error why
	 */
	record NotRun(ErrorReply error) implements MetaReply {
	}

}
