package dev.ratelimit.store.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

import dev.ratelimit.store.Answer.Fate;
import dev.ratelimit.store.StoreFailure;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * The part of a batch that goes to one node over one connection: all is written before
 * anything is read. Used once, by one thread.
 */
final class NodeExchange {

	private final Node node;

	private final FailureListener listener;

	private final List<Attempt> attempts = new ArrayList<>();

	private @Nullable Connection connection;

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

	/**
	 * Write all calls. Those that cannot be sent have failed then.
	 * @param deadline bounds the wait for a connection
	 */
	void send(Deadline deadline) {
		try {
			Optional<Connection> borrowed = this.node.borrow(deadline.left());
			borrowed.ifPresentOrElse(this::write, this::exhausted);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			fail(ex, 0, Fate.NOT_TAKEN);
		}
		catch (RuntimeException ex) {
			fail(ex, 0, Fate.NOT_TAKEN);
		}
	}

	private void exhausted() {
		this.attempts.forEach((attempt) -> attempt.call().failed(StoreFailure.EXHAUSTED, Fate.NOT_TAKEN));
		this.listener.failed(this.node, StoreFailure.EXHAUSTED,
				new IllegalStateException("all connections are in use"));
	}

	private void write(Connection borrowed) {
		try {
			for (Attempt attempt : this.attempts) {
				if (attempt.asking()) {
					borrowed.sendCommand(Command.ASKING);
				}
				borrowed.sendCommand(attempt.command());
			}
			// Flushes, and reads nothing.
			borrowed.getMany(0);
			this.connection = borrowed;
		}
		catch (RuntimeException ex) {
			this.node.discard(borrowed, fail(ex, 0, Fate.UNKNOWN));
		}
	}

	/**
	 * Read all replies.
	 * @param deadline bounds each read
	 * @param onError what to do with an error that Redis replied
	 */
	void receive(Deadline deadline, BiConsumer<Attempt, JedisDataException> onError) {
		if (this.connection == null) {
			return;
		}
		int next = 0;
		boolean usable = true;
		try {
			for (Attempt attempt : this.attempts) {
				usable &= receive(this.connection, attempt, deadline, onError);
				next++;
			}
			if (usable) {
				this.node.release(this.connection);
			}
			else {
				// The idle ones lead to the same server.
				this.node.discard(this.connection, StoreFailure.UNREACHABLE);
			}
		}
		catch (RuntimeException ex) {
			this.node.discard(this.connection, fail(ex, next, Fate.UNKNOWN));
		}
	}

	/** Whether the connection is of use any more. */
	private static boolean receive(Connection connection, Attempt attempt, Deadline deadline,
			BiConsumer<Attempt, JedisDataException> onError) {
		try {
			if (attempt.asking()) {
				skip(connection, deadline);
			}
			connection.setSoTimeout(deadline.leftMillis());
			attempt.call().replied(connection.getUnflushedObject());
			return true;
		}
		catch (JedisDataException ex) {
			onError.accept(attempt, ex);
			return !StoreFailures.endsConnection(ex);
		}
	}

	/** Where ASKING itself is refused, so is the call behind it. */
	private static void skip(Connection connection, Deadline deadline) {
		try {
			connection.setSoTimeout(deadline.leftMillis());
			connection.getUnflushedObject();
		}
		catch (JedisDataException ex) {
			// The reply to the call says more.
		}
	}

	private StoreFailure fail(Exception cause, int from, Fate fate) {
		StoreFailure failure = StoreFailures.classify(cause);
		for (Attempt attempt : this.attempts.subList(from, this.attempts.size())) {
			attempt.call().failed(failure, fate);
		}
		this.listener.failed(this.node, failure, cause);
		return failure;
	}

	/** Is told why calls have failed. */
	@FunctionalInterface
	interface FailureListener {

		void failed(Node node, StoreFailure failure, Exception cause);

	}

}
