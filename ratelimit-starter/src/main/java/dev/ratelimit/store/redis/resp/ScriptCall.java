package dev.ratelimit.store.redis.resp;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquireResult.Fate;
import dev.ratelimit.store.StoreFailure;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * One call of a script on one key, or on several of one slot, and its outcome. It is sent
 * to one node, and again where Redis replies that another node or the text of the script
 * is needed. Its reply belongs to the thread that reads, its outcome to its request.
 */
public final class ScriptCall {

	private static final CallState NEVER_SENT = new FailedCall(
			new AcquireResult.Failed(StoreFailure.UNREACHABLE, Fate.NOT_TAKEN));

	private static final Map<StoreFailure, CallState> NOT_SENT_IN_TIME = outcomes(Fate.NOT_TAKEN);

	private static final Map<StoreFailure, CallState> NOT_ANSWERED_IN_TIME = outcomes(Fate.AWAITED);

	/** What Redis' protocol adds to one part, at most. */
	private static final int BYTES_AROUND = 16;

	private static final int WEIGHT_OF_TEXT = 16;

	private final Script script;

	private final List<byte[]> keys;

	private final List<byte[]> arguments;

	private final List<byte[]> limit;

	private final Afterwards afterwards;

	private @Nullable Node node;

	private boolean withText;

	private boolean asking;

	private @Nullable Object reply;

	private CallState outcome = NEVER_SENT;

	public ScriptCall(Script script, byte[] key, List<byte[]> arguments, Afterwards afterwards) {
		this(script, List.of(key), arguments, afterwards);
	}

	/**
	 * Create a call on several keys.
	 * @param script a script that does not decide many keys itself
	 * @param keys the keys, all in one slot of a Cluster
	 * @param arguments the arguments of the script
	 * @param afterwards is notified how the call ended, if no request waits any more
	 */
	public ScriptCall(Script script, List<byte[]> keys, List<byte[]> arguments, Afterwards afterwards) {
		this(script, keys, arguments, List.of(), afterwards);
	}

	/**
	 * Create a call on a limit.
	 * @param script the script
	 * @param keys the keys
	 * @param arguments the arguments of this call alone
	 * @param limit the arguments of the limit, which follow those: the same object with
	 * every call on that limit
	 * @param afterwards is notified how the call ended, if no request waits any more
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

	/** The key that determines the node. */
	public byte[] key() {
		return this.keys.get(0);
	}

	public List<byte[]> keys() {
		return this.keys;
	}

	/** The arguments of this call alone. */
	public List<byte[]> arguments() {
		return this.arguments;
	}

	/** The arguments of the limit. */
	public List<byte[]> limit() {
		return this.limit;
	}

	/** How many bytes there are to write; may be slightly high. */
	int bytes() {
		return bytes(this.keys) + bytes(this.arguments) + bytes(this.limit)
				+ (this.withText ? this.script.text().length : 0);
	}

	private static int bytes(List<byte[]> parts) {
		int bytes = 0;
		for (int i = 0; i < parts.size(); i++) {
			bytes += parts.get(i).length + BYTES_AROUND;
		}
		return bytes;
	}

	/**
	 * The weight of the call in a batch: the text of a script is long.
	 * @return how many calls without text are as long
	 */
	int weight() {
		return this.withText ? WEIGHT_OF_TEXT : 1;
	}

	public Afterwards afterwards() {
		return this.afterwards;
	}

	/**
	 * Send the call to a node that is expected to know its script.
	 * @param node the node; {@code null} if none is known
	 * @param asking whether {@code ASKING} must precede the call, because its slot is
	 * being migrated to the node
	 */
	void sendTo(@Nullable Node node, boolean asking) {
		this.node = node;
		this.asking = asking;
		this.withText = false;
		this.reply = null;
	}

	/**
	 * Send the call to its node once more.
	 * @param withText whether to send the text of the script
	 */
	void sendAgain(boolean withText) {
		this.withText = withText;
		this.reply = null;
	}

	/**
	 * The node it is sent to next, or was sent to last; {@code null} if none is known.
	 */
	@Nullable Node node() {
		return this.node;
	}

	/** Whether the text of the script has to be sent. */
	boolean withText() {
		return this.withText;
	}

	/** Whether {@code ASKING} must precede the call. */
	boolean asking() {
		return this.asking;
	}

	/**
	 * Store what the node replied. Called by the thread that reads.
	 * @param reply the reply, which may be an error
	 */
	void received(Object reply) {
		this.reply = reply;
	}

	/** The reply of the node; {@code null} before it arrives. */
	@Nullable Object reply() {
		return this.reply;
	}

	public void replied(Object reply) {
		this.outcome = new Replied(reply);
	}

	public void failed(StoreFailure failure, Fate fate) {
		this.outcome = new FailedCall(new AcquireResult.Failed(failure, fate));
	}

	/**
	 * End the call as its time is over. Allocates nothing.
	 * @param failure why
	 * @param awaited whether another thread handles its reply; else it was not sent
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
	 * Notify {@link #afterwards()} of a reply that came too late.
	 * @param reply a {@code Long} or a list of them, or an error
	 * @return the call to run next over the same connection, if this one has to be undone
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

	/** The outcome of a call. */
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
	 * Is notified once, in the background, how a call ended that is {@link Fate#AWAITED}.
	 */
	public interface Afterwards {

		/** Ignores how the call ended. */
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
		 * @return the call to run next over the same connection, if this one has to be
		 * undone
		 */
		Optional<ScriptCall> ran(Object reply);

		/** The script certainly did not run. */
		void didNotRun();

		/** The script may have run; the outcome will never be known. */
		void lost();

	}

}
