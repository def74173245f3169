package dev.ratelimit.store.redis;

import java.util.List;

import dev.ratelimit.store.Answer;
import dev.ratelimit.store.Answer.Fate;
import dev.ratelimit.store.StoreFailure;

/**
 * One call of a script on one key, and what became of it.
 */
final class ScriptCall {

	private static final Outcome NEVER_SENT = new Failed(new Answer.Failed(StoreFailure.UNREACHABLE, Fate.NOT_TAKEN));

	private final Script script;

	private final byte[] key;

	private final List<byte[]> arguments;

	private Outcome outcome = NEVER_SENT;

	ScriptCall(Script script, byte[] key, List<byte[]> arguments) {
		this.script = script;
		this.key = key;
		this.arguments = arguments;
	}

	Script script() {
		return this.script;
	}

	byte[] key() {
		return this.key;
	}

	List<byte[]> arguments() {
		return this.arguments;
	}

	void replied(Object reply) {
		this.outcome = new Replied(reply);
	}

	void failed(StoreFailure failure, Fate fate) {
		this.outcome = new Failed(new Answer.Failed(failure, fate));
	}

	Outcome outcome() {
		return this.outcome;
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

}
