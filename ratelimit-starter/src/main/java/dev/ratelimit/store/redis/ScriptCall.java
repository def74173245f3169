package dev.ratelimit.store.redis;

import java.util.List;
import java.util.Optional;

import dev.ratelimit.store.Answer;
import dev.ratelimit.store.Answer.Fate;
import dev.ratelimit.store.StoreFailure;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * One call of a script on one key, or on several of one slot, and what became of it.
 */
final class ScriptCall {

	private static final Outcome NEVER_SENT = new Failed(new Answer.Failed(StoreFailure.UNREACHABLE, Fate.NOT_TAKEN));

	private static final Outcome NOT_SENT_IN_TIME = new Failed(new Answer.Failed(StoreFailure.TIMEOUT, Fate.NOT_TAKEN));

	private static final Outcome NOT_ANSWERED_IN_TIME = new Failed(
			new Answer.Failed(StoreFailure.TIMEOUT, Fate.AWAITED));

	private final Script script;

	private final List<byte[]> keys;

	private final List<byte[]> arguments;

	private final List<byte[]> limit;

	private final Afterwards afterwards;

	private Outcome outcome = NEVER_SENT;

	ScriptCall(Script script, byte[] key, List<byte[]> arguments, Afterwards afterwards) {
		this(script, List.of(key), arguments, afterwards);
	}

	/**
	 * Create a call on several keys.
	 * @param script a script that does not decide many keys itself
	 * @param keys the keys, all in one slot of a Cluster
	 * @param arguments what the script is told
	 * @param afterwards is told how it ended, if nobody waits any more
	 */
	ScriptCall(Script script, List<byte[]> keys, List<byte[]> arguments, Afterwards afterwards) {
		this(script, keys, arguments, List.of(), afterwards);
	}

	/**
	 * Create a call about a limit.
	 * @param script the script
	 * @param keys the keys
	 * @param arguments what the script is told of this call alone
	 * @param limit what it is told behind that of the limit: the same object with every
	 * call about it
	 * @param afterwards is told how it ended, if nobody waits any more
	 */
	ScriptCall(Script script, List<byte[]> keys, List<byte[]> arguments, List<byte[]> limit, Afterwards afterwards) {
		this.script = script;
		this.keys = keys;
		this.arguments = arguments;
		this.limit = limit;
		this.afterwards = afterwards;
	}

	Script script() {
		return this.script;
	}

	/** The key that leads to the node. */
	byte[] key() {
		return this.keys.get(0);
	}

	List<byte[]> keys() {
		return this.keys;
	}

	/** What the script is told of this call alone. */
	List<byte[]> arguments() {
		return this.arguments;
	}

	/** What it is told of the limit. */
	List<byte[]> limit() {
		return this.limit;
	}

	Afterwards afterwards() {
		return this.afterwards;
	}

	void replied(Object reply) {
		this.outcome = new Replied(reply);
	}

	void failed(StoreFailure failure, Fate fate) {
		this.outcome = new Failed(new Answer.Failed(failure, fate));
	}

	/**
	 * Its time is over. Allocates nothing.
	 * @param awaited whether somebody else minds about its reply; else it was not sent
	 */
	void timedOut(boolean awaited) {
		this.outcome = awaited ? NOT_ANSWERED_IN_TIME : NOT_SENT_IN_TIME;
	}

	Outcome outcome() {
		return this.outcome;
	}

	/**
	 * Tell whoever minds about a reply that came too late.
	 * @param reply a {@code Long} or a list of them, or an error
	 * @return what to run next over the same connection, if the call has to be undone
	 */
	Optional<ScriptCall> repliedLate(Object reply) {
		if (!(reply instanceof JedisDataException error)) {
			return this.afterwards.ran(reply);
		}
		if (StoreFailures.mayHaveRun(error)) {
			this.afterwards.lost();
		}
		else {
			this.afterwards.didNotRun();
		}
		return Optional.empty();
	}

	/** What became of a call. */
	sealed interface Outcome {

	}

	/**
	 * The script ran.
	 *
	 * @param reply a {@code Long} or a list of them
	 */
	record Replied(Object reply) implements Outcome {
	}

	/**
	 * There is no reply.
	 *
	 * @param answer why
	 */
	record Failed(Answer.Failed answer) implements Outcome {
	}

	/**
	 * Is told in the background how a call ended that is {@link Fate#AWAITED}, once.
	 */
	interface Afterwards {

		/** Nobody minds. */
		Afterwards NOTHING = new Afterwards() {

			@Override
			public Optional<ScriptCall> ran(Object reply) {
				return Optional.empty();
			}

			@Override
			public void didNotRun() {
			}

			@Override
			public void lost() {
			}

		};

		/**
		 * The script ran.
		 * @param reply a {@code Long} or a list of them
		 * @return what to run next over the same connection, if that has to be undone
		 */
		Optional<ScriptCall> ran(Object reply);

		/** The script surely did not run. */
		void didNotRun();

		/** It may have run, and nobody will find out. */
		void lost();

	}

}
