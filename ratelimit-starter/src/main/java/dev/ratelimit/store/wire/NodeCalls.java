package dev.ratelimit.store.wire;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import dev.ratelimit.store.Fate;
import dev.ratelimit.store.StoreFailure;
import org.jspecify.annotations.Nullable;

/**
 * The calls that one request sends to one node together, and their replies. The thread
 * that reads stores the replies here, and that of the request, or of its completion,
 * delivers them. A request that leaves only sets the outcomes of its calls. Tested by
 * {@code CompletionTests}.
 */
final class NodeCalls {

	/**
	 * A batch with this many bytes takes no more requests. So it never has twice as much,
	 * which fits into the send buffer: writing it never waits for a server that does not
	 * read.
	 */
	static final int MOST_BYTES = 64 * 1024;

	private final Node node;

	private final FailureListener listener;

	private final List<NodeCall> calls = new ArrayList<>(1);

	private int bytes;

	private int weight;

	private int replies;

	private boolean ended;

	private StoreFailure failure = StoreFailure.ERROR;

	private @Nullable Throwable broken;

	NodeCalls(Node node, FailureListener listener) {
		this.node = node;
		this.listener = listener;
	}

	Node node() {
		return this.node;
	}

	void add(NodeCall call) {
		call.begin();
		this.calls.add(call);
		this.bytes += call.bytes();
		this.weight += call.weight();
	}

	/** The number of bytes to write; may be slightly high. */
	int bytes() {
		return this.bytes;
	}

	/** Whether the server may have to read before all of it can be written. */
	boolean isLarge() {
		return this.bytes > MOST_BYTES;
	}

	/** How much work the calls are for the server. */
	int weight() {
		return this.weight;
	}

	/** Whether that is more than so many usual calls are. */
	boolean isCostly() {
		return this.weight > this.calls.size();
	}

	/** What they count together with other costly calls. */
	int costlyWeight() {
		return isCostly() ? Math.min(this.weight, Node.MOST_COSTLY) : 0;
	}

	/**
	 * The exchange is over.
	 * @param ended whether it took place and the replies, or their failure, are to be
	 * delivered; else the calls have failed
	 */
	void end(boolean ended) {
		this.ended = ended;
	}

	/** Whether replies, or their failure, are to be delivered. */
	boolean hasEnded() {
		return this.ended;
	}

	/** The calls with their replies. */
	List<NodeCall> calls() {
		return this.calls;
	}

	/**
	 * Store a reply. Called by the reading thread.
	 * @param call the call it belongs to
	 * @param reply the reply, or an error
	 * @return whether that was the last one
	 */
	boolean received(NodeCall call, Object reply) {
		call.received(reply);
		this.replies++;
		return isAnswered();
	}

	/** Whether all replies have arrived. */
	boolean isAnswered() {
		return this.replies == this.calls.size();
	}

	/**
	 * End the exchange: no more replies will come.
	 * @param failure the kind of failure
	 * @param cause why
	 */
	void breakOff(StoreFailure failure, Throwable cause) {
		this.failure = failure;
		this.broken = cause;
	}

	/**
	 * Deliver the replies to the request. Called by its thread.
	 * @return the calls to which the node replied an error
	 */
	List<NodeCall> deliver() {
		List<NodeCall> errors = List.of();
		for (int i = 0; i < this.calls.size(); i++) {
			NodeCall call = this.calls.get(i);
			Object reply = call.reply();
			if (reply instanceof ErrorReply) {
				errors = errors.isEmpty() ? new ArrayList<>(this.calls.size()) : errors;
				errors.add(call);
			}
			else if (reply != null) {
				call.replied(reply);
			}
		}
		if (this.broken != null) {
			unanswered().forEach((call) -> call.failed(this.failure, Fate.UNKNOWN));
			this.listener.failed(this.node, this.failure, this.broken);
		}
		return errors;
	}

	/** End the calls whose replies could not be delivered. */
	void undelivered() {
		for (NodeCall call : this.calls) {
			if (!(call.outcome() instanceof NodeCall.Replied)) {
				call.failed(StoreFailure.ERROR, Fate.UNKNOWN);
			}
		}
	}

	/**
	 * Report to the request that nothing was sent. Called by its thread.
	 * @param cause why
	 */
	void notSent(NoConnectionException cause) {
		notSent(cause.failure(), Objects.requireNonNullElse(cause.getCause(), cause));
	}

	void notSent(StoreFailure failure, Throwable cause) {
		failed(failure);
		this.listener.failed(this.node, failure, cause);
	}

	/** End all calls, none of which was taken. */
	void failed(StoreFailure failure) {
		this.calls.forEach((call) -> call.failed(failure, Fate.NOT_TAKEN));
	}

	/**
	 * Set the outcome that applies if the request stops waiting. Allocates nothing, as
	 * the request has to leave even where there is no memory.
	 * @param failure why it stops waiting
	 * @param awaited whether another thread handles the replies; else nothing was sent
	 */
	void timedOut(StoreFailure failure, boolean awaited) {
		for (int i = 0; i < this.calls.size(); i++) {
			this.calls.get(i).timedOut(failure, awaited);
		}
	}

	/**
	 * Report that the request has stopped waiting.
	 * @param failure why
	 * @param cause the exception to report
	 */
	void reportLeft(StoreFailure failure, Throwable cause) {
		this.listener.failed(this.node, failure, cause);
	}

	/**
	 * Handle the replies that came after the request had left.
	 * @param toUndo receives the calls that undo others
	 */
	void repliedLate(List<NodeCall> toUndo) {
		for (NodeCall call : this.calls) {
			Object reply = call.reply();
			if (reply != null) {
				call.repliedLate(reply).ifPresent(toUndo::add);
			}
		}
	}

	/** The calls that have no reply yet. */
	List<NodeCall> unanswered() {
		List<NodeCall> unanswered = new ArrayList<>();
		for (NodeCall call : this.calls) {
			if (call.reply() == null) {
				unanswered.add(call);
			}
		}
		return unanswered;
	}

	/** Receives the reason why calls have failed. */
	@FunctionalInterface
	interface FailureListener {

		void failed(Node node, StoreFailure failure, Throwable cause);

	}

}
