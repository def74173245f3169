package dev.ratelimit.memcached.meta;

import dev.ratelimit.store.wire.ErrorReply;

/**
 * The reply to one meta command.
 */
public sealed interface MetaReply {

	/**
	 * A count.
	 *
	 * @param count the count; {@link Long#MAX_VALUE} if it is larger
	 * @param secondsLeft how long it lives: at most that many whole seconds, and more
	 * than one less; 0 if the command has not requested it
	 */
	record Count(long count, long secondsLeft) implements MetaReply {
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
	 * The command did not run.
	 *
	 * @param error why
	 */
	record NotRun(ErrorReply error) implements MetaReply {
	}

}
