package dev.ratelimit.store.wire;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;

import dev.ratelimit.store.StoreFailure;

/**
 * A connection with outstanding replies that no request waits for any more. The replies
 * are read when they come, and what they granted is undone over the same connection,
 * which is then usable again. Used by one thread.
 */
final class LateReplies {

	/** How long to wait for replies. */
	private static final Duration PATIENCE = Duration.ofSeconds(10);

	/** How long the rest of a reply may take to arrive. */
	private static final Duration REST_OF_A_REPLY = Duration.ofMillis(100);

	private static final Duration BETWEEN_CHECKS = Duration.ofMillis(100);

	private static final Duration CHECK = Duration.ofMillis(1);

	private final Node node;

	private final Connection connection;

	private final Queue<Command> outstanding;

	private final Queue<NodeCall> unsent;

	private final Deadline end = Deadline.in(PATIENCE);

	private boolean usable;

	private Deadline nextCheck = Deadline.in(BETWEEN_CHECKS);

	LateReplies(Node node, Connection connection, boolean usable, List<Command> outstanding, List<NodeCall> unsent) {
		this.node = node;
		this.connection = connection;
		this.usable = usable;
		this.outstanding = new ArrayDeque<>(outstanding);
		this.unsent = new ArrayDeque<>(unsent);
	}

	/**
	 * Read the replies that have arrived.
	 * @return whether those were all, or no more will come
	 */
	boolean proceed() {
		try {
			for (NodeCall call = this.unsent.poll(); call != null; call = this.unsent.poll()) {
				undo(call);
			}
			while (!this.outstanding.isEmpty() && this.connection.hasInput()) {
				receive();
			}
			if (this.outstanding.isEmpty()) {
				end();
				return true;
			}
			if (this.end.isOver()) {
				giveUp(StoreFailure.TIMEOUT);
				return true;
			}
			if (this.nextCheck.isOver()) {
				this.connection.requireOpen(Deadline.in(CHECK));
				this.nextCheck = Deadline.in(BETWEEN_CHECKS);
			}
			return false;
		}
		catch (Throwable ex) {
			// Even an Error must not affect the other exchanges.
			this.node.logger().debug("A late reply of " + this.node + " was lost", ex);
			giveUp(IoFailure.of(ex));
			return true;
		}
	}

	private void end() {
		if (this.usable) {
			this.node.release(this.connection);
		}
		else {
			// The idle connections lead to the same server.
			this.node.discard(this.connection, StoreFailure.UNREACHABLE);
		}
	}

	private void receive() {
		Object reply = this.connection.read(Deadline.in(REST_OF_A_REPLY));
		if (this.outstanding.element().skipReply()) {
			return;
		}
		Command command = this.outstanding.remove();
		List<Object> replies = command.repliesFrom(reply);
		for (int i = 0; i < replies.size(); i++) {
			this.usable &= !ErrorReply.endsConnection(replies.get(i));
			command.calls().get(i).repliedLate(replies.get(i)).ifPresent(this::undo);
		}
	}

	private void undo(NodeCall call) {
		Command command = call.command(1);
		this.outstanding.add(command);
		this.connection.write(command);
		this.connection.flush();
	}

	/** Give up: the outcome of the outstanding calls will never be known. */
	void giveUp(StoreFailure failure) {
		this.node.discard(this.connection, failure);
		this.outstanding.forEach((command) -> command.calls().forEach((call) -> report(call.afterwards()::lost)));
		this.unsent.forEach((call) -> report(call.afterwards()::didNotRun));
	}

	private void report(Runnable outcome) {
		try {
			outcome.run();
		}
		catch (Throwable ex) {
			// The connection is discarded, and the other exchanges go on.
			this.node.logger().debug("A lost call of " + this.node + " was not reported", ex);
		}
	}

}
