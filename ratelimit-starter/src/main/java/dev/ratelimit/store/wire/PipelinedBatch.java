package dev.ratelimit.store.wire;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.wire.WaitingRequest.State;

/**
 * The calls of one or several requests on their way to a node and back, over one
 * connection. All calls are written before any reply is read. One of the requests reads
 * for all, or a thread of the node does for requests on virtual threads and those without
 * a thread. If its time is over, another request that has time left continues to read.
 * When none has, the background thread waits for the outstanding replies. Used by one
 * thread at a time. Tested by {@code SharingTests}.
 */
final class PipelinedBatch {

	private final Node node;

	private final Connection connection;

	private final ConnectionSource source;

	private final List<WaitingRequest> requests;

	private final List<NodeCall> toUndo = new ArrayList<>(0);

	private List<BatchedCommand> commands = List.of();

	/** The index of the command whose reply comes next. */
	private int next;

	/** The requests of the commands before this index were woken with their replies. */
	private int reported;

	private boolean usable = true;

	/**
	 * Create a batch that is about to be sent.
	 * @param node the node to send to
	 * @param connection the connection
	 * @param source is notified once about what becomes of the connection
	 * @param requests the requests it carries; more are added until it is written
	 */
	PipelinedBatch(Node node, Connection connection, ConnectionSource source, List<WaitingRequest> requests) {
		this.node = node;
		this.connection = connection;
		this.source = source;
		this.requests = requests;
	}

	/**
	 * Send all calls.
	 * @return whether they were sent; else the batch is over
	 */
	boolean write() {
		boolean written = false;
		try {
			this.commands = BatchedCommand.of(this.requests, this.node.keepsKeysApart());
			for (BatchedCommand batched : this.commands) {
				this.connection.write(batched.command());
			}
			this.connection.awaitMore();
			this.connection.flush();
			this.requests.forEach((pending) -> pending.written(this));
			written = true;
		}
		catch (RuntimeException ex) {
			breakOff(ex);
		}
		catch (Error ex) {
			breakOff(ex);
			throw ex;
		}
		finally {
			if (!written) {
				this.source.lost();
			}
		}
		return written;
	}

	/**
	 * Whether replies have arrived that only need one of our threads. Called by any
	 * thread.
	 */
	boolean isArriving() {
		// In this order, as the reader may take the input meanwhile. A silent node may
		// send no more than a part of a reply.
		return this.connection.hasArrived() || (this.connection.hasTaken() && !this.node.isSilent());
	}

	/** Make one of the requests read, as the writing thread has other work. */
	void handOver() {
		if (!handToNextReader()) {
			try {
				readOnInBackground();
			}
			finally {
				this.source.lost();
			}
		}
	}

	/**
	 * Read the replies until all are there, or until the reader's time is over.
	 * @param reader whose owner reads
	 */
	void read(WaitingRequest reader) {
		// An interrupt would close the shared connection if this is a virtual thread.
		boolean interrupted = Thread.interrupted();
		try {
			if (readAllOrHandOn(reader)) {
				end();
			}
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	private boolean readAllOrHandOn(WaitingRequest reader) {
		try {
			readAll(reader.deadline());
			return true;
		}
		catch (RuntimeException ex) {
			boolean goesOn = false;
			try {
				goesOn = handOn(reader, ex);
			}
			finally {
				if (!goesOn) {
					this.source.lost();
				}
			}
			return false;
		}
		catch (Error ex) {
			try {
				wakeAnswered();
				breakOff(ex);
			}
			finally {
				this.source.lost();
			}
			throw ex;
		}
	}

	private void readAll(Deadline deadline) {
		while (this.next < this.commands.size()) {
			if (!this.connection.hasUnread()) {
				wakeAnswered();
				this.connection.awaitMore();
			}
			BatchedCommand batched = this.commands.get(this.next);
			Object reply = this.connection.read(deadline);
			this.node.answered();
			if (batched.command().skipReply()) {
				continue;
			}
			this.next++;
			deliver(batched, reply);
		}
	}

	private void deliver(BatchedCommand batched, Object reply) {
		List<? extends NodeCall> calls = batched.command().calls();
		List<Object> replies = batched.command().repliesFrom(reply);
		for (int i = 0; i < replies.size(); i++) {
			Object ofCall = replies.get(i);
			this.usable &= !ErrorReply.endsConnection(ofCall);
			WaitingRequest pending = batched.requests().get(i);
			boolean complete = pending.calls().received(calls.get(i), ofCall);
			if (complete && !pending.end()) {
				pending.calls().repliedLate(this.toUndo);
			}
		}
	}

	private void wakeAnswered() {
		while (this.reported < this.next) {
			this.commands.get(this.reported).requests().forEach(WaitingRequest::wake);
			this.reported++;
		}
	}

	/**
	 * Release the connection before the requests are woken with their replies, so that
	 * waiting requests are sent first: the server must never be idle.
	 */
	private void end() {
		try {
			if (this.usable && this.toUndo.isEmpty()) {
				this.source.free(this.connection);
			}
			else {
				endWithoutConnection();
			}
		}
		finally {
			wakeAnswered();
		}
	}

	private void endWithoutConnection() {
		try {
			if (this.usable) {
				this.node.late().await(this.node, this.connection, true, List.of(), this.toUndo);
			}
			else {
				// The idle connections lead to the same server.
				this.node.discard(this.connection, StoreFailure.UNREACHABLE);
				this.toUndo.forEach((call) -> call.afterwards().didNotRun());
			}
		}
		finally {
			this.source.lost();
		}
	}

	/** Whether another thread continues to read. */
	private boolean handOn(WaitingRequest reader, RuntimeException cause) {
		wakeAnswered();
		boolean late = IoFailure.of(cause) == StoreFailure.TIMEOUT;
		if (late && reader.time().allowsWait()) {
			this.node.notAnswered();
		}
		if (!late || !this.connection.isUntouched()) {
			breakOff(cause);
			return false;
		}
		State state = reader.state();
		if (state != State.ENDED && state != State.LEFT && reader.leave(state, StoreFailure.TIMEOUT)) {
			reader.calls().reportLeft(StoreFailure.TIMEOUT, cause);
			reader.complete();
		}
		if (handToNextReader()) {
			return true;
		}
		readOnInBackground();
		return false;
	}

	/**
	 * A thread that waits has to be woken anyway; one of the node only for this. A
	 * request without any time would break off a reply that arrives in parts.
	 */
	private boolean handToNextReader() {
		return handToYoungest(
				(pending) -> pending.time().allowsWait() && !pending.isServedByNode() && pending.appointReader())
				|| handToYoungest((pending) -> pending.time().allowsWait() && readByNode(pending))
				|| handToYoungest((pending) -> readByNode(pending) || pending.appointReader());
	}

	/** The youngest request has the most time left. */
	private boolean handToYoungest(Predicate<WaitingRequest> appoint) {
		for (int i = this.requests.size() - 1; i >= 0; i--) {
			WaitingRequest pending = this.requests.get(i);
			if (!pending.calls().isAnswered() && appoint.test(pending)) {
				return true;
			}
		}
		return false;
	}

	private boolean readByNode(WaitingRequest pending) {
		return pending.isServedByNode() && pending.isSent() && this.node.threads().run(() -> read(pending));
	}

	private void readOnInBackground() {
		for (WaitingRequest pending : this.requests) {
			if (!pending.calls().isAnswered()) {
				leaveWithoutReader(pending);
				pending.calls().repliedLate(this.toUndo);
			}
		}
		List<Command> outstanding = this.commands.subList(this.next, this.commands.size())
			.stream()
			.map(BatchedCommand::command)
			.toList();
		this.node.late().await(this.node, this.connection, this.usable, outstanding, this.toUndo);
	}

	/** No thread of the node can read for a request that has none itself. */
	private static void leaveWithoutReader(WaitingRequest pending) {
		if (pending.isSent() && pending.leave(State.SENT, StoreFailure.OVERLOADED)) {
			pending.complete();
		}
	}

	/** Allocates nothing before all requests are woken, as there may be no memory. */
	private void breakOff(Throwable cause) {
		// An interrupt that closes a connection leaves the idle ones open.
		StoreFailure failure = Thread.currentThread().isInterrupted() ? StoreFailure.TIMEOUT : IoFailure.of(cause);
		this.node.discard(this.connection, failure);
		for (WaitingRequest pending : this.requests) {
			if (!pending.calls().isAnswered()) {
				pending.calls().breakOff(failure, cause);
				if (pending.end()) {
					pending.wake();
				}
			}
		}
		for (WaitingRequest pending : this.requests) {
			if (pending.hasLeft() && !pending.calls().isAnswered()) {
				pending.calls().repliedLate(this.toUndo);
				pending.calls().unanswered().forEach((call) -> call.afterwards().lost());
			}
		}
		this.toUndo.forEach((call) -> call.afterwards().didNotRun());
	}

}
