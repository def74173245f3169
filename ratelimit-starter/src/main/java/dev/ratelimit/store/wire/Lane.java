package dev.ratelimit.store.wire;

import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import dev.ratelimit.store.StoreFailure;
import org.jspecify.annotations.Nullable;

/**
 * A connection and the batch that is under way over it: the exchanges of one or several
 * requests, all written before the first reply is read. One thread has the lane at a
 * time: that of a request in the batch, which reads for all; else a thread of the node,
 * for requests on virtual threads and without a thread; else the one that reads late
 * replies. Each may hand it to the next at any byte, so a request that leaves at its own
 * deadline cuts no other one short.
 * <p>
 * The thread that has read all replies writes the next batch before it wakes the requests
 * of the last one: the server must never be idle. Tested by {@code LaneTests}.
 */
final class Lane implements Runnable, LateLanes.Late {

	/** How long to wait for late replies. */
	private static final long PATIENCE = Duration.ofSeconds(10).toNanos();

	private static final long A_MOMENT = Duration.ofMillis(1).toNanos();

	private static final long BETWEEN_CHECKS = Duration.ofMillis(100).toNanos();

	/** After this time a firewall or the server may have dropped an idle connection. */
	private static final long LONGEST_IDLE = Duration.ofMinutes(1).toNanos();

	/** How often a thread of the node looks whether requests still wait. */
	private static final long BETWEEN_LOOKS = Duration.ofMillis(10).toNanos();

	/** Enough for a reply in several TLS records, each of which takes two reads. */
	private static final int MOST_AFTER_THE_DEADLINE = 8;

	private final Node node;

	private final Connection connection;

	private final Consumer<Exchange> reading = this::read;

	private List<Exchange> batch = List.of();

	private List<Command> commands = List.of();

	/** The index of the command whose reply comes next. */
	private int next;

	private final List<NodeCall> toUndo = new ArrayList<>(0);

	/** Whether the server accepts more calls over the connection. */
	private boolean usable = true;

	private boolean hasSlot;

	private long idleSince;

	/** Whether no request waits for the batch. */
	private boolean late;

	private long lateSince;

	private long nextCheck;

	Lane(Node node, Connection connection) {
		this.node = node;
		this.connection = connection;
	}

	Connection connection() {
		return this.connection;
	}

	/** It is about to be idle. */
	void rests() {
		this.late = false;
		this.idleSince = Deadline.nowNanos();
	}

	/** Whether it was idle for too long to be used again. */
	boolean isExpired() {
		return Deadline.nowNanos() - this.idleSince > LONGEST_IDLE;
	}

	/** A batch slot was taken for it. Called before it is given to a thread. */
	Lane withSlot() {
		this.hasSlot = true;
		return this;
	}

	/**
	 * Send a batch on the thread of a request, and read for all until the time of that
	 * request is over.
	 * @param leader the request, which waits
	 */
	void lead(Exchange leader) {
		try {
			if (!sendNext(false)) {
				rest();
				return;
			}
			if (!leader.mayRead() || !this.batch.contains(leader)) {
				handOver();
				return;
			}
			leader.startReading();
		}
		catch (Throwable ex) {
			breakOff(ex);
			return;
		}
		read(leader);
	}

	private void read(Exchange reader) {
		try {
			if (readAll(reader)) {
				boolean ignored = goOn(false);
			}
			else {
				boolean ignored = reader.leave(Exchange.State.READS, reader.whyLate());
				handOver();
			}
		}
		catch (Throwable ex) {
			breakOff(ex);
		}
	}

	/** Whether all replies have arrived before the reader's time was over. */
	private boolean readAll(Exchange reader) {
		int late = 0;
		while (hasOutstanding()) {
			if (!takeReply()) {
				long left = reader.leftNanos();
				// What has arrived by then is read without a wait.
				if (left == 0 && (late++ == MOST_AFTER_THE_DEADLINE || !this.connection.hasArrived())) {
					return false;
				}
				boolean ignored = this.connection.receive(left);
			}
		}
		return true;
	}

	/** Send and read on a thread of the node while requests wait. */
	@Override
	public void run() {
		try {
			boolean reads = hasOutstanding() || readsOn(sendNext(true), true);
			while (reads) {
				if (!readWhileAwaited()) {
					becomeLate();
					return;
				}
				reads = goOn(true);
			}
		}
		catch (Throwable ex) {
			breakOff(ex);
		}
	}

	private boolean readWhileAwaited() {
		while (hasOutstanding()) {
			if (!takeReply() && !this.connection.receive(BETWEEN_LOOKS) && !isAwaited()) {
				return false;
			}
		}
		return true;
	}

	/**
	 * Send the next batch, before the requests of this one are woken: the server must
	 * never be idle.
	 * @return whether this thread reads the replies to it
	 */
	private boolean goOn(boolean byNode) {
		List<Exchange> done = this.batch;
		try {
			return readsOn(goesOn(byNode) && sendNext(byNode), byNode);
		}
		finally {
			wake(done);
		}
	}

	private boolean readsOn(boolean sent, boolean byNode) {
		if (!sent) {
			rest();
			return false;
		}
		if (byNode) {
			return !appointReader();
		}
		handOver();
		return false;
	}

	private boolean hasOutstanding() {
		return this.next < this.commands.size();
	}

	/**
	 * Whether a reply was there, and was taken. Before a wait, wakes those that ended.
	 */
	private boolean takeReply() {
		Object reply = this.connection.read();
		if (reply == null) {
			wake(this.batch);
			this.connection.awaitMore();
			return false;
		}
		if (!this.late) {
			this.node.answered();
		}
		Command command = this.commands.get(this.next);
		if (!command.skipReply()) {
			this.next++;
			deliver(command, command.repliesFrom(reply));
		}
		return true;
	}

	private void deliver(Command command, List<Object> replies) {
		for (int i = 0; i < replies.size(); i++) {
			Object reply = replies.get(i);
			NodeCall call = command.calls().get(i);
			this.usable &= !ErrorReply.endsConnection(reply);
			call.receiver().received(call, reply, this.toUndo);
		}
	}

	/** Whether another batch is worth this connection. */
	private boolean goesOn(boolean byNode) {
		if (!mayWrite() || (!byNode && this.node.waiting().isLargeReady())) {
			return false;
		}
		if (!this.hasSlot) {
			this.hasSlot = this.toUndo.isEmpty() && this.node.takeUsualSlot();
		}
		return !this.toUndo.isEmpty() || (this.hasSlot && !this.node.isSlotSpare());
	}

	/** Input that is left would be taken for the reply to another request. */
	private boolean mayWrite() {
		return this.usable && !this.connection.hasUnread();
	}

	/**
	 * Write what waits, but first what undoes others.
	 * @param mayBlock whether this thread may wait for the server to read
	 * @return whether there was anything
	 */
	private boolean sendNext(boolean mayBlock) {
		this.node.waiting().ended(this.batch);
		this.batch = List.of();
		if (this.toUndo.isEmpty()) {
			this.batch = this.node.take(mayBlock);
		}
		else {
			this.batch = this.toUndo.stream().map((call) -> Exchange.ofUndo(this.node, call)).toList();
			this.toUndo.clear();
		}
		if (this.batch.isEmpty()) {
			return false;
		}
		write();
		return true;
	}

	private void write() {
		boolean large = this.batch.get(0).isLarge();
		this.next = 0;
		this.commands = commands();
		if (large) {
			// Others need not wait for a server that does not read.
			freeSlot();
			this.connection.beginLarge(this.batch.get(0));
		}
		for (int i = 0; i < this.batch.size(); i++) {
			this.batch.get(i).written(this.connection);
		}
		if (large && this.batch.get(0).hasLeft()) {
			throw new UncheckedIOException(new SocketTimeoutException("Its time was over before it was written"));
		}
		if (this.late) {
			this.lateSince = Deadline.nowNanos();
		}
		for (int i = 0; i < this.commands.size(); i++) {
			this.connection.write(this.commands.get(i));
		}
		this.connection.awaitMore();
		this.connection.flush();
		if (large) {
			this.connection.endLarge();
		}
	}

	/** Combine the calls of the batch into commands, where possible. */
	private List<Command> commands() {
		List<Command> combined = new ArrayList<>(1);
		for (int i = 0; i < this.batch.size(); i++) {
			List<NodeCall> calls = this.batch.get(i).calls();
			for (int j = 0; j < calls.size(); j++) {
				if (!add(calls.get(j), combined)) {
					combined.add(calls.get(j).command(this.batch.size() - i));
				}
			}
		}
		return combined;
	}

	private boolean add(NodeCall call, List<Command> combined) {
		for (int i = 0; i < combined.size(); i++) {
			if (combined.get(i).add(call, this.node.keepsKeysApart())) {
				return true;
			}
		}
		return false;
	}

	/** Make a request of the batch read. The youngest one has the most time left. */
	private boolean appointReader() {
		for (int i = this.batch.size() - 1; i >= 0; i--) {
			if (this.batch.get(i).appointReader(this.reading)) {
				return true;
			}
		}
		return false;
	}

	/** Give the lane, whose batch was written, to a thread that reads. */
	private void handOver() {
		if (appointReader()) {
			return;
		}
		if (!isAwaited()) {
			becomeLate();
		}
		else if (!this.node.threads().run(this)) {
			breakOff(new NoConnectionException(StoreFailure.OVERLOADED, "there is no thread that reads", null));
		}
	}

	/** Whether a request waits for the batch. */
	private boolean isAwaited() {
		for (int i = 0; i < this.batch.size(); i++) {
			if (this.batch.get(i).isUnderWay()) {
				return true;
			}
		}
		return false;
	}

	private void becomeLate() {
		this.late = true;
		this.lateSince = Deadline.nowNanos();
		this.nextCheck = this.lateSince + BETWEEN_CHECKS;
		freeSlot();
		this.node.late().add(this);
	}

	@Override
	public boolean proceed() {
		try {
			while (hasOutstanding() || (!this.toUndo.isEmpty() && mayWrite() && sendNext(false))) {
				if (!takeReply() && !receiveLate()) {
					return false;
				}
			}
			rest();
		}
		catch (Throwable ex) {
			breakOff(ex);
		}
		return true;
	}

	/** From time to time it finds out whether the server has closed the connection. */
	private boolean receiveLate() throws SocketTimeoutException {
		long now = Deadline.nowNanos();
		if (now - this.lateSince > PATIENCE) {
			throw new SocketTimeoutException("A late reply never came");
		}
		boolean checks = now - this.nextCheck > 0;
		if (checks) {
			this.nextCheck = now + BETWEEN_CHECKS;
		}
		return (checks || this.connection.hasArrived()) && this.connection.receive(A_MOMENT);
	}

	@Override
	public void giveUp() {
		breakOff(new SocketTimeoutException("A late reply is no longer awaited"));
	}

	/** All replies were read, and the connection is idle, or of no more use. */
	private void rest() {
		if (!mayWrite()) {
			breakOff(new IllegalStateException("The connection is of no more use"));
			return;
		}
		this.node.waiting().ended(this.batch);
		this.batch = List.of();
		boolean slot = this.hasSlot;
		this.hasSlot = false;
		this.node.release(this, slot);
	}

	/** The connection is lost: what has no reply will never have one. */
	private void breakOff(Throwable cause) {
		// The idle connections lead to the same server.
		StoreFailure failure = this.usable ? IoFailure.of(cause) : StoreFailure.UNREACHABLE;
		List<Exchange> lost = this.batch;
		this.batch = List.of();
		try {
			this.node.discard(this, failure);
		}
		finally {
			end(lost, failure, cause);
		}
		try {
			lost.forEach((exchange) -> exchange.endLate(this.toUndo));
			this.toUndo.forEach((call) -> call.afterwards().didNotRun());
		}
		catch (Throwable ex) {
			this.node.logger().debug("A late reply of " + this.node + " was lost", ex);
		}
	}

	private void end(List<Exchange> lost, StoreFailure failure, Throwable cause) {
		try {
			for (int i = 0; i < lost.size(); i++) {
				lost.get(i).breakOff(failure, cause);
			}
			wake(lost);
		}
		finally {
			this.node.waiting().ended(lost);
			freeSlot();
		}
	}

	private void freeSlot() {
		if (this.hasSlot) {
			this.hasSlot = false;
			this.node.freeSlot();
		}
	}

	private static void wake(List<Exchange> exchanges) {
		for (int i = 0; i < exchanges.size(); i++) {
			exchanges.get(i).wakeIfEnded();
		}
	}

}
