package dev.ratelimit.store.redis.resp;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import dev.ratelimit.store.AcquireResult.Fate;
import dev.ratelimit.store.StoreFailure;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * The calls that one request sends to one node together, and their replies. The results
 * are delivered to the request by its own thread, whichever thread has read the replies.
 * Used by one thread at a time.
 */
final class NodeCalls {

	private final Node node;

	private final FailureListener listener;

	private final List<NodeCall> nodeCalls = new ArrayList<>(1);

	private int bytes;

	private int replies;

	private StoreFailure failure = StoreFailure.ERROR;

	private @Nullable Throwable broken;

	NodeCalls(Node node, FailureListener listener) {
		this.node = node;
		this.listener = listener;
	}

	Node node() {
		return this.node;
	}

	void add(NodeCall nodeCall) {
		this.nodeCalls.add(nodeCall);
		this.bytes += nodeCall.bytes();
	}

	/** The number of bytes to write; may be slightly high. */
	int bytes() {
		return this.bytes;
	}

	/** Whether the server may have to read before all of it can be written. */
	boolean isLarge() {
		return this.bytes > PendingRequests.MOST_BYTES;
	}

	/** How much work the calls are for the server. */
	int weight() {
		int weight = 0;
		for (int i = 0; i < this.nodeCalls.size(); i++) {
			weight += this.nodeCalls.get(i).weight();
		}
		return weight;
	}

	/** The calls with their replies. */
	List<NodeCall> nodeCalls() {
		return this.nodeCalls;
	}

	/**
	 * Store a reply. Called by the reading thread.
	 * @param nodeCall the call it belongs to
	 * @param reply the reply, or an error
	 * @return whether that was the last one
	 */
	boolean replied(NodeCall nodeCall, Object reply) {
		nodeCall.replied(reply);
		this.replies++;
		return isAnswered();
	}

	/** Whether all replies have arrived. */
	boolean isAnswered() {
		return this.replies == this.nodeCalls.size();
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
	 * @return the calls to which Redis replied an error
	 */
	List<NodeCall> deliver() {
		List<NodeCall> errors = List.of();
		for (int i = 0; i < this.nodeCalls.size(); i++) {
			NodeCall nodeCall = this.nodeCalls.get(i);
			Object reply = nodeCall.reply();
			if (reply instanceof JedisDataException) {
				errors = errors.isEmpty() ? new ArrayList<>(this.nodeCalls.size()) : errors;
				errors.add(nodeCall);
			}
			else if (reply != null) {
				nodeCall.call().replied(reply);
			}
		}
		if (this.broken != null) {
			unanswered().forEach((call) -> call.failed(this.failure, Fate.UNKNOWN));
			this.listener.failed(this.node, this.failure, this.broken);
		}
		return errors;
	}

	/**
	 * Report to the request that nothing was sent. Called by its thread.
	 * @param cause why
	 */
	void notSent(NoConnectionException cause) {
		notSent(cause.failure(), Objects.requireNonNullElse(cause.getCause(), cause));
	}

	void notSent(StoreFailure failure, Throwable cause) {
		this.nodeCalls.forEach((nodeCall) -> nodeCall.call().failed(failure, Fate.NOT_TAKEN));
		this.listener.failed(this.node, failure, cause);
	}

	/**
	 * Set the outcome that applies if the request stops waiting. Allocates nothing, as
	 * the request has to leave even where there is no memory.
	 * @param failure why it stops waiting
	 * @param awaited whether another thread handles the replies; else nothing was sent
	 */
	void timedOut(StoreFailure failure, boolean awaited) {
		for (int i = 0; i < this.nodeCalls.size(); i++) {
			this.nodeCalls.get(i).call().timedOut(failure, awaited);
		}
	}

	/**
	 * Report that the request has stopped waiting.
	 * @param failure why
	 * @param cause the exception to report
	 */
	void left(StoreFailure failure, Throwable cause) {
		this.listener.failed(this.node, failure, cause);
	}

	/**
	 * Handle the replies that came after the request had left.
	 * @param toUndo receives the calls that undo others
	 */
	void repliedLate(List<ScriptCall> toUndo) {
		for (NodeCall nodeCall : this.nodeCalls) {
			Object reply = nodeCall.reply();
			if (reply != null) {
				nodeCall.call().repliedLate(reply).ifPresent(toUndo::add);
			}
		}
	}

	/** The calls that have no reply yet. */
	List<ScriptCall> unanswered() {
		List<ScriptCall> unanswered = new ArrayList<>();
		for (NodeCall nodeCall : this.nodeCalls) {
			if (nodeCall.reply() == null) {
				unanswered.add(nodeCall.call());
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
