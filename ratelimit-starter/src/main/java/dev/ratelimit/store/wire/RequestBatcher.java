package dev.ratelimit.store.wire;

import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.wire.PendingRequest.State;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests to one node. Requests that arrive at the same time share a batch.
 * Usually at most two batches are under way at once: one at the node, the other on the
 * network.
 *
 * <p>
 * A request that arrives while no batch is under way is sent at once, on its own thread.
 * While one batch is under way, a second one starts as soon as as many requests wait as
 * the last batch carried; the last request to arrive leads it. When a batch returns, the
 * waiting requests are sent with the next one, unless they are fewer than that while
 * another batch is still under way. Requests that once arrived together are therefore
 * sent together again, and threads are not woken one by one, which costs more than the
 * work they are woken for. A request that arrives alone waits for no other request.
 *
 * <p>
 * Where batches take long, because the node is far away or a connection hangs, requests
 * do not wait for them: after five milliseconds a waiting request takes a further batch
 * slot, while there are connections.
 *
 * <p>
 * For a request that no thread waits for, a thread of the node sends, and the timer of
 * the node takes a further batch slot or ends the request.
 */
final class RequestBatcher {

	private static final int USUAL = 2;

	/** Longer than a batch takes to a nearby node and back. */
	static final Duration PATIENCE = Duration.ofMillis(5);

	private final int usual;

	private final int most;

	private final Duration patience;

	private final PendingRequests waiting;

	private final AtomicInteger busy = new AtomicInteger();

	/** How many requests the last batch carried. */
	private volatile int carried;

	/**
	 * Create the batch slots of a node.
	 * @param maxConnections how many batches are under way at most
	 * @param maxWaiting how many requests wait at most, besides those that could have a
	 * connection of their own
	 * @param patience how long a request waits for a usual batch slot before it takes a
	 * further one
	 */
	RequestBatcher(int maxConnections, int maxWaiting, Duration patience) {
		this.usual = Math.min(USUAL, maxConnections);
		this.most = maxConnections;
		this.waiting = new PendingRequests(maxConnections - this.usual + maxWaiting);
		this.patience = patience;
	}

	/**
	 * Send the calls of a request, and wait for the replies.
	 * @param calls the calls to send
	 * @param time how long to wait
	 * @return whether the exchange took place and the replies, or their failure, are to
	 * be delivered; else the calls have failed
	 */
	boolean run(NodeCalls calls, CallTime time) {
		PendingRequest pending = new PendingRequest(calls, time);
		if (this.waiting.isEmpty() && mayGo(1) && take(this.usual)) {
			pending.lead();
			lead(pending, false);
			return pending.hasEnded();
		}
		// No allocation while waiting: memory may be exhausted, and other requests depend
		// on the waiting one.
		Deadline patience = Deadline.inNanos(Math.min(this.patience.toNanos(), time.nextLookNanos()));
		if (!this.waiting.add(pending)) {
			calls.notSent(calls.node().tooMany());
			return false;
		}
		if ((mayGo(this.waiting.count()) && hasBatchSlot(pending, this.usual)) || hasLostPatience(pending, patience)) {
			lead(pending, true);
		}
		else {
			await(pending);
		}
		return pending.hasEnded();
	}

	/**
	 * Send the calls of a request without waiting for anything. Threads of the node send
	 * and read.
	 * @param calls the calls to send
	 * @param time how long it may take
	 * @param completion run once, on any thread, with what {@link #run} would return
	 */
	void start(NodeCalls calls, CallTime time, Consumer<Boolean> completion) {
		PendingRequest pending = PendingRequest.completing(calls, time, (ended) -> completion.accept(ended.hasEnded()));
		if (!this.waiting.add(pending)) {
			calls.notSent(calls.node().tooMany());
			completion.accept(false);
			return;
		}
		giveAway();
		lookAgain(pending, Math.min(this.patience.toNanos(), time.nextLookNanos()));
	}

	private void lookAgain(PendingRequest pending, long nanos) {
		ScheduledExecutorService timer = pending.calls().node().timer();
		Future<?> ignored = timer.schedule(() -> look(pending), nanos, TimeUnit.NANOSECONDS);
		State state = pending.state();
		if (timer.isShutdown() && isUnderWay(state)) {
			// The task may have been dropped.
			leave(pending, state, StoreFailure.TIMEOUT);
		}
	}

	/** What the thread of a request does when it wakes by itself. */
	private void look(PendingRequest pending) {
		try {
			State state = pending.state();
			if (isUnderWay(state)) {
				goOrLeave(pending, state);
			}
		}
		finally {
			if (isUnderWay(pending.state())) {
				lookAgain(pending, pending.nextLookNanos());
			}
		}
	}

	private static boolean isUnderWay(State state) {
		return state == State.WAITING || state == State.SENT;
	}

	private boolean mayGo(int waiting) {
		return this.busy.get() == 0 || areEnough(waiting);
	}

	/** Whether the waiting requests are worth a batch slot. */
	private boolean areEnough(int waiting) {
		return waiting >= this.carried || this.waiting.isFull();
	}

	private boolean hasBatchSlot(PendingRequest pending, int limit) {
		if (!take(limit)) {
			return false;
		}
		boolean leads = pending.hasThread() ? pending.lead() : isSentByNode(pending);
		if (!leads) {
			passOn();
		}
		return leads;
	}

	private boolean hasLostPatience(PendingRequest pending, Deadline patience) {
		return pending.await(State.WAITING, patience.leftNanos()) == State.WAITING && patience.isOver()
				&& hasBatchSlot(pending, this.most);
	}

	private boolean take(int limit) {
		int now = this.busy.get();
		while (now < limit) {
			if (this.busy.compareAndSet(now, now + 1)) {
				return true;
			}
			now = this.busy.get();
		}
		return false;
	}

	/**
	 * Whether the batch slot that ends should wait for more requests. Never where there
	 * are no further slots for requests that have waited too long.
	 */
	private boolean isSpare() {
		return this.busy.get() == USUAL && this.most > USUAL && !areEnough(this.waiting.count());
	}

	/** Assign the free batch slots to the requests that have waited longest. */
	private void giveAway() {
		while (!this.waiting.isEmpty() && mayGo(this.waiting.count()) && take(this.usual)) {
			if (!leadOldest()) {
				this.busy.decrementAndGet();
				PendingRequest oldest = this.waiting.oldest();
				if (oldest != null && !oldest.hasThread()) {
					// The node has no thread for it now; the timer tries again.
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
		PendingRequest oldest = this.waiting.oldest();
		return (oldest != null && oldest.isServedByNode() && isSentByNode(oldest)) || this.waiting.leadOldest();
	}

	private boolean isSentByNode(PendingRequest oldest) {
		return oldest.calls().node().threads().run(() -> sendFor(oldest));
	}

	private void sendFor(PendingRequest oldest) {
		Node node = oldest.calls().node();
		Connection connection = null;
		try {
			connection = borrow(node, oldest);
		}
		finally {
			if (connection == null && !this.waiting.leadOldest()) {
				this.busy.decrementAndGet();
			}
		}
		if (connection != null) {
			new BatchSlot(node).send(connection, this.waiting.room());
		}
	}

	/** A request with a thread will fail in the same way, with a cause of its own. */
	private @Nullable Connection borrow(Node node, PendingRequest first) {
		for (PendingRequest next = first; next != null; next = this.waiting.oldest()) {
			try {
				return node.borrow(next.time());
			}
			catch (NoConnectionException ex) {
				if (next.hasThread()) {
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

	private void refuse(PendingRequest left, NoConnectionException cause) {
		try {
			left.calls().notSent(cause);
		}
		finally {
			left.complete();
		}
	}

	private void passOn() {
		if (isSpare() || !leadOldest()) {
			this.busy.decrementAndGet();
			// Requests may have been added meanwhile.
			giveAway();
		}
	}

	private void await(PendingRequest pending) {
		State state = pending.state();
		boolean queued = false;
		while (isUnderWay(state)) {
			if (pending.await(state, pending.nextLookNanos()) == state) {
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
	private boolean goOrLeave(PendingRequest pending, State state) {
		boolean interrupted = Thread.currentThread().isInterrupted();
		if (interrupted || (state == State.SENT && pending.isLate())) {
			leave(pending, state, interrupted ? StoreFailure.TIMEOUT : pending.whyLate());
		}
		else if (state == State.WAITING) {
			Node node = pending.calls().node();
			boolean inVain = pending.time().isInVain(node);
			if (!inVain && hasBatchSlot(pending, this.most)) {
				return pending.hasThread();
			}
			if (inVain || pending.time().isOver(node)) {
				leave(pending, state, pending.whyLate());
			}
		}
		return false;
	}

	private void leave(PendingRequest pending, State state, StoreFailure failure) {
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

	private void reportLeft(PendingRequest pending, State state, StoreFailure failure) {
		Node node = pending.calls().node();
		if (state == State.WAITING) {
			boolean ignored = this.waiting.remove(pending);
			pending.calls().left(failure, new NoConnectionException(failure, "no connection was free in time", null));
			return;
		}
		if (failure == StoreFailure.TIMEOUT && !Thread.currentThread().isInterrupted()) {
			node.notAnswered();
		}
		pending.calls().left(failure, new SocketTimeoutException("Nothing more came in time"));
	}

	private void lead(PendingRequest pending, boolean queued) {
		PipelinedBatch batch = null;
		try {
			batch = board(pending, queued);
		}
		catch (NoConnectionException ex) {
			pending.calls().notSent(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			pending.calls().notSent(StoreFailure.TIMEOUT, ex);
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
		if (pending.isServedByNode()) {
			pending.sent(batch);
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
	private PipelinedBatch board(PendingRequest leader, boolean queued)
			throws NoConnectionException, InterruptedException {
		Node node = leader.calls().node();
		if (leader.time().isInVain(node)) {
			throw node.noneInTime();
		}
		Connection connection = node.borrow(leader.time());
		try {
			int room = this.waiting.room();
			List<PendingRequest> requests = new ArrayList<>(room + 1);
			PipelinedBatch batch = new PipelinedBatch(node, connection, new BatchSlot(node), requests);
			if (!queued) {
				requests.add(leader);
			}
			this.waiting.board(batch, requests, room, leader);
			if (queued && !requests.contains(leader)) {
				boolean ignored = this.waiting.remove(leader);
				requests.add(leader);
			}
			this.carried = requests.size();
			return batch;
		}
		catch (Throwable ex) {
			node.discard(connection, StoreFailure.ERROR);
			throw ex;
		}
	}

	/** A batch slot while it is in use. */
	private final class BatchSlot implements PipelinedBatch.Slot {

		private final Node node;

		BatchSlot(Node node) {
			this.node = node;
		}

		/**
		 * Waiting requests need not be awake to be sent: one of them reads when it is.
		 */
		@Override
		public void free(Connection connection) {
			boolean stays = isSpare() || connection.hasUnread() || this.node.isConnectionWanted();
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
			List<PendingRequest> requests = new ArrayList<>(room);
			PipelinedBatch batch = new PipelinedBatch(this.node, connection, this, requests);
			RequestBatcher.this.waiting.board(batch, requests, room, null);
			if (requests.isEmpty()) {
				return null;
			}
			RequestBatcher.this.carried = requests.size();
			return batch;
		}

		@Override
		public void lost() {
			passOn();
		}

	}

}
