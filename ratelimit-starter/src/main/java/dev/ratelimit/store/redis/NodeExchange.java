package dev.ratelimit.store.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;

import dev.ratelimit.store.Answer.Fate;
import dev.ratelimit.store.StoreFailure;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * The part of a batch that goes to one node over one connection: all is written before
 * anything is read. Used once, by one thread.
 */
final class NodeExchange {

	private final Node node;

	private final LateReplies late;

	private final FailureListener listener;

	private final List<Attempt> attempts = new ArrayList<>();

	private @Nullable Link link;

	NodeExchange(Node node, LateReplies late, FailureListener listener) {
		this.node = node;
		this.late = late;
		this.listener = listener;
	}

	Node node() {
		return this.node;
	}

	void add(Attempt attempt) {
		this.attempts.add(attempt);
	}

	/**
	 * Write all calls if there is a connection that nobody uses.
	 * @return whether there was one
	 */
	boolean sendAtOnce() {
		Link idle = this.node.borrowIdle();
		if (idle != null) {
			write(idle);
		}
		return idle != null;
	}

	/**
	 * Write all calls. Those that cannot be sent have failed then.
	 * @param deadline bounds the wait for a connection
	 */
	void send(Deadline deadline) {
		try {
			write(this.node.borrow(deadline));
		}
		catch (NoLinkException ex) {
			fail(ex.failure(), Objects.requireNonNullElse(ex.getCause(), ex), 0, Fate.NOT_TAKEN);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			fail(StoreFailure.TIMEOUT, ex, 0, Fate.NOT_TAKEN);
		}
	}

	private void write(Link borrowed) {
		try {
			for (Attempt attempt : this.attempts) {
				if (attempt.asking()) {
					borrowed.write(new CommandArguments(Command.ASKING));
				}
				borrowed.write(attempt.command());
			}
			borrowed.flush();
			this.link = borrowed;
		}
		catch (RuntimeException ex) {
			this.node.discard(borrowed, fail(StoreFailures.classify(ex), ex, 0, Fate.UNKNOWN));
		}
	}

	/**
	 * Read all replies, if the calls were sent.
	 * @param deadline bounds the reads together
	 * @param onError what to do with an error that Redis replied
	 */
	void receive(Deadline deadline, BiConsumer<Attempt, JedisDataException> onError) {
		if (this.link == null) {
			return;
		}
		int next = 0;
		boolean usable = true;
		try {
			for (Attempt attempt : this.attempts) {
				usable &= receive(this.link, attempt, deadline, onError);
				next++;
			}
			if (usable) {
				this.node.release(this.link);
			}
			else {
				// The idle ones lead to the same server.
				this.node.discard(this.link, StoreFailure.UNREACHABLE);
			}
		}
		catch (RuntimeException ex) {
			end(this.link, ex, next);
		}
	}

	/** Whether the connection is of use any more. */
	private static boolean receive(Link link, Attempt attempt, Deadline deadline,
			BiConsumer<Attempt, JedisDataException> onError) {
		try {
			if (attempt.asking()) {
				skip(link, deadline);
			}
			attempt.call().replied(link.read(deadline));
			return true;
		}
		catch (JedisDataException ex) {
			onError.accept(attempt, ex);
			return !StoreFailures.endsConnection(ex);
		}
	}

	/** Where ASKING itself is refused, so is the call behind it. */
	private static void skip(Link link, Deadline deadline) {
		try {
			Object ignored = link.read(deadline);
		}
		catch (JedisDataException ex) {
			// The reply to the call says more.
		}
	}

	/** What does not come in time is waited for in the background, if that can be. */
	private void end(Link link, RuntimeException cause, int from) {
		StoreFailure failure = StoreFailures.classify(cause);
		List<Attempt> rest = this.attempts.subList(from, this.attempts.size());
		if (failure == StoreFailure.TIMEOUT && link.isUntouched() && rest.stream().noneMatch(Attempt::asking)) {
			fail(failure, cause, from, Fate.AWAITED);
			this.late.await(this.node, link, rest.stream().map(Attempt::call).toList());
		}
		else {
			this.node.discard(link, fail(failure, cause, from, Fate.UNKNOWN));
		}
	}

	private StoreFailure fail(StoreFailure failure, Throwable cause, int from, Fate fate) {
		for (Attempt attempt : this.attempts.subList(from, this.attempts.size())) {
			attempt.call().failed(failure, fate);
		}
		this.listener.failed(this.node, failure, cause);
		return failure;
	}

	/** Is told why calls have failed. */
	@FunctionalInterface
	interface FailureListener {

		void failed(Node node, StoreFailure failure, Throwable cause);

	}

}
