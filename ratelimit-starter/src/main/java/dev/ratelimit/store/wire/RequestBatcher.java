package dev.ratelimit.store.wire;

import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.wire.WaitingRequest.State;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests to one node. Requests that arrive at the same time share a batch, as
 * {@link BatchSlots} decides.
 *
 * <p>
 * A request that arrives while no batch is under way is sent at once, on its own thread.
 * Otherwise it waits: the last request to arrive that makes the waiting ones enough leads
 * a batch, and when a batch returns, the waiting requests are sent with the next one.
 * Threads are not woken one by one, which costs more than the work they are woken for.
 *
 * <p>
 * Where batches take long, because the node is far away or a connection hangs, requests
 * do not wait for them: after five milliseconds a waiting request takes a further batch
 * slot, while there are connections.
 *
 * <p>
 * For a request that no thread waits for, a thread of the node sends, and the timer of
 * the node takes a further batch slot or ends the request.
 *
 * <p>
 * A thread with requests to several nodes first sends what it can without a wait. Then it
 * attends to one request after the other. A thread of the node takes its place at those
 * it does not attend to, so no node waits for another.
 */
final class RequestBatcher {

	/** Longer than a batch takes to a nearby node and back. */
	static final Duration PATIENCE = Duration.ofMillis(5);

	private final BatchSlots slots;

	private final NodeQueue waiting;

	private final Duration patience;

	/**
	 * Create a batcher with free slots.
	 * @param maxConnections how many batches are under way at most
	 * @param maxWaiting how many requests wait at most, besides those that could have a
	 * connection of their own
	 * @param patience how long a request waits for a usual batch slot before it takes a
	 * further one
	 */
	RequestBatcher(int maxConnections, int maxWaiting, Duration patience) {
		this.slots = new BatchSlots(maxConnections, maxWaiting);
		this.waiting = this.slots.waiting();
		this.patience = patience;
	}

	/** The number of requests that wait for a batch slot. */
	int count() {
		return this.waiting.count();
	}

	/**
	 * Send the calls of a request, and wait for the replies.
	 * @param calls the calls to send
	 * @param time how long to wait
	 * @return whether the exchange took place and the replies, or their failure, are to
	 * be delivered; else the calls have failed
	 */
	boolean run(NodeCalls calls, CallTime time) {
		WaitingRequest pending = new WaitingRequest(calls, time);
		if (this.waiting.isEmpty() && this.slots.takeUsual(1)) {
			pending.appointLeader();
			lead(pending, false);
			return pending.hasEnded();
		}
		// No allocation while waiting: memory may be exhausted, and other requests depend
		// on the waiting one.
		Deadline patience = patience(time);
		if (queue(pending)) {
			await(pending, patience);
		}
		return pending.hasEnded();
	}

	/** How long a request waits before it takes a further batch slot. */
	Deadline patience(CallTime time) {
		return Deadline.inNanos(Math.min(this.patience.toNanos(), time.nextCheckNanos()));
	}

	/**
	 * Send the calls of a request without waiting for anything: at once if possible,
	 * otherwise with a batch of others.
	 * @param pending the request of the current thread, to be {@linkplain #await awaited}
	 */
	void join(WaitingRequest pending) {
		if (queue(pending) && this.slots.takeUsual(this.waiting.count())) {
			Node node = pending.calls().node();
			Connection idle = node.borrowIdle();
			if (idle != null) {
				new BatchSlot(node).send(idle, this.waiting.room());
			}
			else if (!sendByNode(pending)) {
				passOn();
			}
		}
	}

	/**
	 * Wait for the replies to a request that has joined.
	 * @param pending the request of the current thread
	 * @param patience how long it waits for a usual batch slot
	 */
	void await(WaitingRequest pending, Deadline patience) {
		pending.attend();
		if (pending.state() == State.WAITING && (takeUsualSlot(pending) || waitAndTakeSlot(pending, patience))) {
			lead(pending, true);
		}
		else {
			await(pending);
		}
	}

	private boolean queue(WaitingRequest pending) {
		boolean queued = this.waiting.add(pending);
		if (!queued && pending.leave(State.WAITING, StoreFailure.OVERLOADED)) {
			refuse(pending, pending.calls().node().tooMany());
		}
		return queued;
	}

	/**
	 * Send the calls of a request without waiting for anything. Threads of the node send
	 * and read.
	 * @param calls the calls to send
	 * @param time how long it may take
	 * @param completion run once, on any thread, with what {@link #run} would return
	 */
	void start(NodeCalls calls, CallTime time, Consumer<Boolean> completion) {
		WaitingRequest pending = WaitingRequest.completing(calls, time, (ended) -> completion.accept(ended.hasEnded()));
		if (queue(pending)) {
			giveAway();
			checkAgain(pending, Math.min(this.patience.toNanos(), time.nextCheckNanos()));
		}
	}

	private void checkAgain(WaitingRequest pending, long nanos) {
		ScheduledExecutorService timer = pending.calls().node().timer();
		Future<?> ignored = timer.schedule(() -> check(pending), nanos, TimeUnit.NANOSECONDS);
		State state = pending.state();
		if (timer.isShutdown() && isUnderWay(state)) {
			// The task may have been dropped.
			leave(pending, state, StoreFailure.TIMEOUT);
		}
	}

	/** What the thread of a request does when it wakes by itself. */
	private void check(WaitingRequest pending) {
		try {
			State state = pending.state();
			if (isUnderWay(state)) {
				goOrLeave(pending, state);
			}
		}
		finally {
			if (isUnderWay(pending.state())) {
				checkAgain(pending, pending.nextCheckNanos());
			}
		}
	}

	private static boolean isUnderWay(State state) {
		return state == State.WAITING || state == State.SENT;
	}

	private boolean takeUsualSlot(WaitingRequest pending) {
		return this.slots.takeUsual(this.waiting.count()) && assign(pending);
	}

	/** Assign a batch slot that was taken to a request, if that still waits. */
	private boolean assign(WaitingRequest pending) {
		boolean leads = pending.hasThread() ? pending.appointLeader() : sendByNode(pending);
		if (!leads) {
			passOn();
		}
		return leads;
	}

	private boolean waitAndTakeSlot(WaitingRequest pending, Deadline patience) {
		return pending.await(State.WAITING, patience.leftNanos()) == State.WAITING && patience.isOver()
				&& this.slots.takeAny() && assign(pending);
	}

	/** Assign the free batch slots to the requests that have waited longest. */
	private void giveAway() {
		while (!this.waiting.isEmpty() && this.slots.takeUsual(this.waiting.count())) {
			if (!leadOldest()) {
				this.slots.free();
				WaitingRequest oldest = this.waiting.oldest();
				if (oldest != null && !oldest.hasThread()) {
					// The node has no thread for it now; the timer, or its owner, tries
					// again.
					return;
				}
			}
		}
	}

	/**
	 * Assign a free batch slot to the request that has waited longest, or to all that
	 * wait where the node sends for that request.
	 */
	private boolean leadOldest() {
		WaitingRequest oldest = this.waiting.oldest();
		return (oldest != null && oldest.isServedByNode() && sendByNode(oldest)) || this.waiting.leadOldest();
	}

	private boolean sendByNode(WaitingRequest oldest) {
		return oldest.calls().node().threads().run(() -> sendFor(oldest));
	}

	private void sendFor(WaitingRequest oldest) {
		Node node = oldest.calls().node();
		Connection connection = null;
		try {
			connection = borrow(node, oldest);
		}
		finally {
			if (connection == null && !this.waiting.leadOldest()) {
				this.slots.free();
			}
		}
		if (connection != null) {
			new BatchSlot(node).send(connection, this.waiting.room());
		}
	}

	/** A request with an owner will fail in the same way, with a cause of its own. */
	private @Nullable Connection borrow(Node node, WaitingRequest first) {
		for (WaitingRequest next = first; next != null; next = this.waiting.oldest()) {
			try {
				return node.borrow(next.time());
			}
			catch (NoConnectionException ex) {
				if (next.hasOwner()) {
					return null;
				}
				if (next.leave(State.WAITING, ex.failure())) {
					refuse(next, ex);
				}
				boolean ignored = this.waiting.remove(next);
			}
			catch (InterruptedException ex) {
				return null;
			}
		}
		return null;
	}

	private void refuse(WaitingRequest left, NoConnectionException cause) {
		try {
			left.calls().notSent(cause);
		}
		finally {
			left.complete();
		}
	}

	private void passOn() {
		if (this.slots.isSpare() || !leadOldest()) {
			this.slots.free();
			// Requests may have been added meanwhile.
			giveAway();
		}
	}

	private void await(WaitingRequest pending) {
		State state = pending.state();
		boolean queued = false;
		while (isUnderWay(state)) {
			if (pending.await(state, pending.nextCheckNanos()) == state) {
				queued = goOrLeave(pending, state);
			}
			state = pending.state();
		}
		if (state == State.LEADS) {
			lead(pending, queued);
		}
		else if (state == State.READS) {
			pending.batch().read(pending);
		}
	}

	/**
	 * Take a batch slot or leave. A request whose thread woke late is still sent if it
	 * can be.
	 * @return whether it has taken a slot itself, and is still queued
	 */
	private boolean goOrLeave(WaitingRequest pending, State state) {
		boolean interrupted = Thread.currentThread().isInterrupted();
		if (interrupted || (state == State.SENT && pending.isLate())) {
			boolean byItself = interrupted && !pending.calls().node().isSilent();
			leave(pending, state, byItself ? StoreFailure.OVERLOADED : pending.whyLate());
		}
		else if (state == State.WAITING) {
			Node node = pending.calls().node();
			boolean inVain = pending.time().isInVain(node);
			if (!inVain && this.slots.takeAny() && assign(pending)) {
				return pending.hasThread();
			}
			if (inVain || pending.time().isOver(node)) {
				leave(pending, state, pending.whyLate());
			}
		}
		return false;
	}

	private void leave(WaitingRequest pending, State state, StoreFailure failure) {
		if (!pending.leave(state, failure)) {
			return;
		}
		try {
			reportLeft(pending, state, failure);
		}
		finally {
			pending.complete();
		}
	}

	private void reportLeft(WaitingRequest pending, State state, StoreFailure failure) {
		Node node = pending.calls().node();
		if (state == State.WAITING) {
			boolean ignored = this.waiting.remove(pending);
			pending.calls()
				.reportLeft(failure, new NoConnectionException(failure, "no connection was free in time", null));
			return;
		}
		if (failure == StoreFailure.TIMEOUT && pending.time().allowsWait()) {
			node.notAnswered();
		}
		pending.calls().reportLeft(failure, new SocketTimeoutException("Nothing more came in time"));
	}

	private void lead(WaitingRequest pending, boolean queued) {
		PipelinedBatch batch = null;
		try {
			batch = board(pending, queued);
		}
		catch (NoConnectionException ex) {
			pending.calls().notSent(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			pending.calls().notSent(StoreFailure.OVERLOADED, ex);
		}
		finally {
			if (batch == null) {
				if (queued) {
					boolean ignored = this.waiting.remove(pending);
				}
				passOn();
			}
		}
		if (batch == null || !batch.write()) {
			return;
		}
		if (pending.isServedByNode() || !pending.time().allowsWait()) {
			pending.sent();
			batch.handOver();
			await(pending);
		}
		else {
			batch.read(pending);
		}
	}

	/**
	 * Requests that arrive while the leader waits for a connection join the batch, too. A
	 * leader that is still queued stays behind the requests that arrived before it.
	 */
	private PipelinedBatch board(WaitingRequest leader, boolean queued)
			throws NoConnectionException, InterruptedException {
		Node node = leader.calls().node();
		if (leader.time().isInVain(node)) {
			throw node.noneInTime();
		}
		Connection connection = node.borrow(leader.time());
		try {
			int room = this.waiting.room();
			List<WaitingRequest> requests = new ArrayList<>(room + 1);
			PipelinedBatch batch = new PipelinedBatch(node, connection, new BatchSlot(node), requests);
			if (!queued) {
				requests.add(leader);
			}
			this.waiting.board(requests, room, leader);
			if (queued && !requests.contains(leader)) {
				boolean ignored = this.waiting.remove(leader);
				requests.add(leader);
			}
			this.slots.carries(requests.size());
			return batch;
		}
		catch (Throwable ex) {
			node.discard(connection, StoreFailure.ERROR);
			throw ex;
		}
	}

	/** A batch slot while it is in use. */
	private final class BatchSlot implements ConnectionSource {

		private final Node node;

		BatchSlot(Node node) {
			this.node = node;
		}

		/**
		 * Waiting requests need not be awake to be sent: one of them reads when it is.
		 */
		@Override
		public void free(Connection connection) {
			boolean stays = RequestBatcher.this.slots.isSpare() || connection.hasUnread()
					|| this.node.isConnectionWanted();
			send(connection, stays ? 0 : RequestBatcher.this.waiting.room());
		}

		/** Send what waits over the connection, or release it if nothing does. */
		private void send(Connection connection, int room) {
			PipelinedBatch next;
			try {
				next = (room > 0) ? next(connection, room) : null;
			}
			catch (Throwable ex) {
				this.node.discard(connection, StoreFailure.ERROR);
				passOn();
				throw ex;
			}
			if (next == null) {
				try {
					this.node.release(connection);
				}
				finally {
					passOn();
				}
			}
			else if (next.write()) {
				next.handOver();
			}
		}

		private @Nullable PipelinedBatch next(Connection connection, int room) {
			List<WaitingRequest> requests = new ArrayList<>(room);
			PipelinedBatch batch = new PipelinedBatch(this.node, connection, this, requests);
			RequestBatcher.this.waiting.board(requests, room, null);
			if (requests.isEmpty()) {
				return null;
			}
			RequestBatcher.this.slots.carries(requests.size());
			return batch;
		}

		@Override
		public void lost() {
			passOn();
		}

	}

}
