package dev.ratelimit.store.redis.resp;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquireResult.Fate;
import dev.ratelimit.store.StoreFailure;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * One call of a script on one key, or on several of one slot, and what became of it.
 */
public final class ScriptCall {

	private static final CallState NEVER_SENT = new FailedCall(
			new AcquireResult.Failed(StoreFailure.UNREACHABLE, Fate.NOT_TAKEN));

	private static final Map<StoreFailure, CallState> NOT_SENT_IN_TIME = outcomes(Fate.NOT_TAKEN);

	private static final Map<StoreFailure, CallState> NOT_ANSWERED_IN_TIME = outcomes(Fate.AWAITED);

	/** What Redis' protocol writes around a part, at most. */
	private static final int BYTES_AROUND = 16;

	private final Script script;

	private final List<byte[]> keys;

	private final List<byte[]> arguments;

	private final List<byte[]> limit;

	private final Afterwards afterwards;

	private CallState outcome = NEVER_SENT;

	public ScriptCall(Script script, byte[] key, List<byte[]> arguments, Afterwards afterwards) {
		this(script, List.of(key), arguments, afterwards);
	}

	/**
	 * Create a call on several keys.
	 * @param script a script that does not decide many keys itself
	 * @param keys the keys, all in one slot of a Cluster
	 * @param arguments what the script is told
	 * @param afterwards is told how it ended, if nobody waits any more
	 */
	public ScriptCall(Script script, List<byte[]> keys, List<byte[]> arguments, Afterwards afterwards) {
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
	public ScriptCall(Script script, List<byte[]> keys, List<byte[]> arguments, List<byte[]> limit,
			Afterwards afterwards) {
		this.script = script;
		this.keys = keys;
		this.arguments = arguments;
		this.limit = limit;
		this.afterwards = afterwards;
	}

	public Script script() {
		return this.script;
	}

	/** The key that leads to the node. */
	public byte[] key() {
		return this.keys.get(0);
	}

	public List<byte[]> keys() {
		return this.keys;
	}

	/** What the script is told of this call alone. */
	public List<byte[]> arguments() {
		return this.arguments;
	}

	/** What it is told of the limit. */
	public List<byte[]> limit() {
		return this.limit;
	}

	/** How much there is to write, besides the script. */
	int bytes() {
		return bytes(this.keys) + bytes(this.arguments) + bytes(this.limit);
	}

	private static int bytes(List<byte[]> parts) {
		int bytes = 0;
		for (int i = 0; i < parts.size(); i++) {
			bytes += parts.get(i).length + BYTES_AROUND;
		}
		return bytes;
	}

	public Afterwards afterwards() {
		return this.afterwards;
	}

	public void replied(Object reply) {
		this.outcome = new Replied(reply);
	}

	public void failed(StoreFailure failure, Fate fate) {
		this.outcome = new FailedCall(new AcquireResult.Failed(failure, fate));
	}

	/**
	 * Its time is over. Allocates nothing.
	 * @param failure why
	 * @param awaited whether somebody else minds about its reply; else it was not sent
	 */
	void timedOut(StoreFailure failure, boolean awaited) {
		this.outcome = Objects.requireNonNull((awaited ? NOT_ANSWERED_IN_TIME : NOT_SENT_IN_TIME).get(failure));
	}

	private static Map<StoreFailure, CallState> outcomes(Fate fate) {
		Map<StoreFailure, CallState> outcomes = new EnumMap<>(StoreFailure.class);
		for (StoreFailure failure : StoreFailure.values()) {
			outcomes.put(failure, new FailedCall(new AcquireResult.Failed(failure, fate)));
		}
		return outcomes;
	}

	public CallState outcome() {
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
		if (FailureClassifier.mayHaveRun(error)) {
			this.afterwards.lost();
		}
		else {
			this.afterwards.didNotRun();
		}
		return Optional.empty();
	}

	/** What became of a call. */
	public sealed interface CallState {

	}

	/**
	 * The script ran.
	 *
	 * @param reply a {@code Long} or a list of them
	 */
	public record Replied(Object reply) implements CallState {
	}

	/**
	 * There is no reply.
	 *
	 * @param result why
	 */
	public record FailedCall(AcquireResult.Failed result) implements CallState {
	}

	/**
	 * Is told in the background how a call ended that is {@link Fate#AWAITED}, once.
	 */
	public interface Afterwards {

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
