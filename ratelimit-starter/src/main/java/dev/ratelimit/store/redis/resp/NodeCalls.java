package dev.ratelimit.store.redis.resp;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import dev.ratelimit.store.AcquireResult.Fate;
import dev.ratelimit.store.StoreFailure;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * What one request sends to one node in one go, and what came back. The request is told
 * by its own thread, whichever thread has read the replies. Used by one thread at a time.
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

	/** Whether the node is asked for what it does not serve yet. */
	boolean isAsking() {
		for (int i = 0; i < this.nodeCalls.size(); i++) {
			if (this.nodeCalls.get(i).asking()) {
				return true;
			}
		}
		return false;
	}

	/** How many bytes there are to write, or a few more. */
	int bytes() {
		return this.bytes;
	}

	/** Whether the server may have to read before all of it can be written. */
	boolean isLarge() {
		return this.bytes > PendingRequests.MOST_BYTES;
	}

	/** How much work it is for the server. */
	int weight() {
		int weight = 0;
		for (int i = 0; i < this.nodeCalls.size(); i++) {
			weight += this.nodeCalls.get(i).weight();
		}
		return weight;
	}

	/** The calls. */
	List<NodeCall> nodeCalls() {
		return this.nodeCalls;
	}

	/**
	 * Keep a reply. Called by whoever reads.
	 * @param nodeCall to what
	 * @param reply the reply, or an error
	 * @return whether that was the last one
	 */
	boolean replied(NodeCall nodeCall, Object reply) {
		nodeCall.replied(reply);
		this.replies++;
		return isAnswered();
	}

	/** Whether all replies are there. */
	boolean isAnswered() {
		return this.replies == this.nodeCalls.size();
	}

	/**
	 * Nothing more will come.
	 * @param failure what that means
	 * @param cause why
	 */
	void breakOff(StoreFailure failure, Throwable cause) {
		this.failure = failure;
		this.broken = cause;
	}

	/**
	 * Tell what came back to the request. Called by its thread.
	 * @return to what Redis replied an error
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
	 * Tell the request that nothing was sent. Called by its thread.
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
	 * Tell the request what is true if it does not wait any longer. Allocates nothing, as
	 * it has to leave where there is no memory, too.
	 * @param failure why it does not wait
	 * @param awaited whether somebody else minds about the replies; else nothing was sent
	 */
	void timedOut(StoreFailure failure, boolean awaited) {
		for (int i = 0; i < this.nodeCalls.size(); i++) {
			this.nodeCalls.get(i).call().timedOut(failure, awaited);
		}
	}

	/**
	 * The request has not waited any longer.
	 * @param failure why
	 * @param cause what for
	 */
	void left(StoreFailure failure, Throwable cause) {
		this.listener.failed(this.node, failure, cause);
	}

	/**
	 * See to the replies that came when the request had left.
	 * @param toUndo takes what has to be undone
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

	/** Is told why calls have failed. */
	@FunctionalInterface
	interface FailureListener {

		void failed(Node node, StoreFailure failure, Throwable cause);

	}

}
