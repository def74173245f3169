package dev.ratelimit.store.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;

import dev.ratelimit.store.Answer.Fate;
import dev.ratelimit.store.StoreFailure;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * What one request sends to one node in one go, and what came back. The request is told
 * by its own thread, whichever thread has read the replies. Used by one thread at a time.
 */
final class NodeExchange {

	private final Node node;

	private final FailureListener listener;

	private final List<Attempt> attempts = new ArrayList<>(1);

	private final List<Object> replies = new ArrayList<>(1);

	private StoreFailure failure = StoreFailure.ERROR;

	private @Nullable Throwable broken;

	NodeExchange(Node node, FailureListener listener) {
		this.node = node;
		this.listener = listener;
	}

	Node node() {
		return this.node;
	}

	void add(Attempt attempt) {
		this.attempts.add(attempt);
	}

	/** Whether the node is asked for what it does not serve yet. */
	boolean isAsking() {
		for (Attempt attempt : this.attempts) {
			if (attempt.asking()) {
				return true;
			}
		}
		return false;
	}

	/** How much there is to write. */
	int weight() {
		int weight = 0;
		for (Attempt attempt : this.attempts) {
			weight += attempt.weight();
		}
		return weight;
	}

	/** Write all calls; they are sent when the connection is flushed. */
	void writeTo(Link link) {
		for (Attempt attempt : this.attempts) {
			link.write(attempt);
		}
	}

	/**
	 * Read what has not been read yet.
	 * @param link the connection
	 * @param deadline when all of it must be there
	 * @return whether the connection is of use any more
	 */
	boolean readFrom(Link link, Deadline deadline) {
		boolean usable = true;
		while (this.replies.size() < this.attempts.size()) {
			Attempt attempt = this.attempts.get(this.replies.size());
			if (attempt.asking()) {
				// Where ASKING itself is refused, so is the call behind it.
				Object ignored = link.read(deadline);
			}
			Object reply = link.read(deadline);
			usable &= !StoreFailures.endsConnection(reply);
			this.replies.add(reply);
		}
		return usable;
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
	 * @param onError what to do with an error that Redis replied
	 */
	void deliver(BiConsumer<Attempt, JedisDataException> onError) {
		for (int i = 0; i < this.replies.size(); i++) {
			Attempt attempt = this.attempts.get(i);
			if (this.replies.get(i) instanceof JedisDataException error) {
				onError.accept(attempt, error);
			}
			else {
				attempt.call().replied(this.replies.get(i));
			}
		}
		if (this.broken != null) {
			fail(this.failure, Fate.UNKNOWN, this.replies.size());
			this.listener.failed(this.node, this.failure, this.broken);
		}
	}

	/**
	 * Tell the request that nothing was sent. Called by its thread.
	 * @param cause why
	 */
	void notSent(NoLinkException cause) {
		notSent(cause.failure(), Objects.requireNonNullElse(cause.getCause(), cause));
	}

	void notSent(StoreFailure failure, Throwable cause) {
		fail(failure, Fate.NOT_TAKEN, 0);
		this.listener.failed(this.node, failure, cause);
	}

	/** Tell the request what is true if it does not wait any longer. */
	void presume(Fate fate) {
		fail(StoreFailure.TIMEOUT, fate, 0);
	}

	/**
	 * The request has not waited any longer.
	 * @param cause what for
	 */
	void left(Throwable cause) {
		this.listener.failed(this.node, StoreFailure.TIMEOUT, cause);
	}

	private void fail(StoreFailure failure, Fate fate, int from) {
		for (Attempt attempt : this.attempts.subList(from, this.attempts.size())) {
			attempt.call().failed(failure, fate);
		}
	}

	/**
	 * See to the replies that came when the request had left.
	 * @param toUndo takes what has to be undone
	 */
	void repliedLate(List<ScriptCall> toUndo) {
		for (int i = 0; i < this.replies.size(); i++) {
			this.attempts.get(i).call().repliedLate(this.replies.get(i)).ifPresent(toUndo::add);
		}
	}

	/** The calls that have no reply yet. */
	List<ScriptCall> unanswered() {
		return this.attempts.subList(this.replies.size(), this.attempts.size()).stream().map(Attempt::call).toList();
	}

	/** Is told why calls have failed. */
	@FunctionalInterface
	interface FailureListener {

		void failed(Node node, StoreFailure failure, Throwable cause);

	}

}
