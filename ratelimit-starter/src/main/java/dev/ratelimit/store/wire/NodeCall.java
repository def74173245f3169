package dev.ratelimit.store.wire;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

import dev.ratelimit.store.Fate;
import dev.ratelimit.store.StoreFailure;
import org.jspecify.annotations.Nullable;

/**
 * One call to a node, and its outcome. A store extends it by what it sends. A call is
 * sent to one node, and again where an {@linkplain #retry error} allows it. It is run
 * once: what is repeated later is another call. Its reply belongs to the thread that
 * reads, its outcome to its request. Tested by {@code LateAnswerTests}.
 */
public abstract class NodeCall {

	private static final CallState NEVER_SENT = new FailedCall(StoreFailure.UNREACHABLE, Fate.NOT_TAKEN);

	private final Afterwards afterwards;

	private @Nullable Receiver receiver;

	private @Nullable Object reply;

	private CallState outcome = NEVER_SENT;

	/**
	 * Create a call that was not sent.
	 * @param afterwards is notified how the call ended, if no request waits any more
	 */
	protected NodeCall(Afterwards afterwards) {
		this.afterwards = afterwards;
	}

	/**
	 * The key that determines the node.
	 * @return the key; not to be changed
	 */
	public abstract byte[] key();

	/**
	 * The size of the call.
	 * @return how many bytes there are to write; may be slightly high
	 */
	protected abstract int bytes();

	/**
	 * The weight of the call in a batch.
	 * @return as how many usual calls it counts
	 */
	protected abstract int weight();

	/**
	 * Create the command that sends this call.
	 * @param expected how many calls it may come to carry, this one included
	 * @return the command, which carries this call
	 */
	protected abstract Command command(int expected);

	/**
	 * Prepare to send the call again, where its node reported that it did not run it.
	 * @param error what the node replied
	 * @param from the address of that node
	 * @return the address of the node to send it to, which may be the same; {@code null}
	 * if the call has failed
	 */
	protected abstract @Nullable String retry(ErrorReply error, String from);

	/**
	 * Forget the reply to the last attempt, as the call is about to be sent.
	 * @param by is to receive the reply
	 */
	final void begin(Receiver by) {
		this.receiver = by;
		this.reply = null;
	}

	/** Receives the reply. */
	final Receiver receiver() {
		return Objects.requireNonNull(this.receiver);
	}

	/**
	 * What is notified how the call ended, if no request waits any more.
	 * @return the receiver
	 */
	public final Afterwards afterwards() {
		return this.afterwards;
	}

	/**
	 * Store what the node replied. Called by the thread that reads.
	 * @param reply the reply, which may be an error
	 */
	final void received(Object reply) {
		this.reply = reply;
	}

	/** The reply of the node; {@code null} before it arrives. */
	final @Nullable Object reply() {
		return this.reply;
	}

	/**
	 * End the call with its result.
	 * @param reply what the node replied
	 */
	public final void replied(Object reply) {
		this.outcome = new Replied(reply);
	}

	/**
	 * End the call without a result.
	 * @param failure why
	 * @param fate whether it took effect
	 */
	public final void failed(StoreFailure failure, Fate fate) {
		this.outcome = new FailedCall(failure, fate);
	}

	/**
	 * The outcome, once the request has ended.
	 * @return the outcome
	 */
	public final CallState outcome() {
		return this.outcome;
	}

	/**
	 * Notify the store of a reply that came too late.
	 * @param reply the reply, which may be an error
	 * @return the call to send next over the same connection, if this one has to be
	 * undone
	 */
	final Optional<NodeCall> repliedLate(Object reply) {
		if (!(reply instanceof ErrorReply error)) {
			return this.afterwards.ran(reply);
		}
		if (error.mayHaveRun()) {
			this.afterwards.lost();
		}
		else {
			this.afterwards.didNotRun();
		}
		return Optional.empty();
	}

	/** Receives the replies to the calls that a request sends together. */
	interface Receiver {

		/**
		 * Store a reply. Called by the thread that reads.
		 * @param call the call it belongs to
		 * @param reply the reply, which may be an error
		 * @param toUndo receives the calls that undo others, if the request has left
		 */
		void received(NodeCall call, Object reply, List<NodeCall> toUndo);

	}

	/** The outcome of a call. */
	public sealed interface CallState {

	}

	/**
	 * The call ran.
	 *
	 * @param reply what the node replied
	 */
	public record Replied(Object reply) implements CallState {
	}

	/**
	 * There is no reply.
	 *
	 * @param failure why
	 * @param fate whether the call took effect
	 */
	public record FailedCall(StoreFailure failure, Fate fate) implements CallState {

		/**
		 * Whether the cause is this application, which was too busy to make the call.
		 * @return whether the store may answer others
		 */
		public boolean isOverload() {
			return this.failure == StoreFailure.OVERLOADED;
		}

	}

	/**
	 * Is notified once, in the background, how a call ended that is {@link Fate#AWAITED}.
	 */
	public interface Afterwards {

		/** Ignores how the call ended. */
		Afterwards NOTHING = new Afterwards() {

			@Override
			public Optional<NodeCall> ran(Object reply) {
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
		 * The call ran.
		 * @param reply what the node replied
		 * @return the call to send next over the same connection, if this one has to be
		 * undone
		 */
		Optional<NodeCall> ran(Object reply);

		/** The call certainly did not run. */
		void didNotRun();

		/** The call may have run; the outcome will never be known. */
		void lost();

	}

}
