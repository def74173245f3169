package dev.ratelimit.store.redis.resp;

import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.redis.resp.PendingRequest.State;
import org.jspecify.annotations.Nullable;

/**
 * The way to one node, on which requests that come at the same time share round trips.
 * Two round trips are usually under way at once: one at the node, the other coming or
 * going. Who comes while none is under way goes at once, on its own thread. While one is,
 * the other begins as soon as so many wait as the last one carried, and whoever comes as
 * the last of them leads; and when a round trip is back, those that wait go with the
 * next, unless they are fewer while another is still under way. So requests that came
 * together once go together again, and threads are not woken one by one, which costs more
 * than what they are woken for; but who comes alone waits for nobody. Where round trips
 * take long, because the node is far away or a connection hangs, nobody waits for them:
 * after five milliseconds the one that waits goes by a further lane, while there are
 * connections.
 */
final class RequestBatcher {

	private static final int USUAL = 2;

	/** Longer than a round trip to a node that is near. */
	static final Duration PATIENCE = Duration.ofMillis(5);

	private final int usual;

	private final int most;

	private final Duration patience;

	private final PendingRequests waiting;

	private final AtomicInteger busy = new AtomicInteger();

	/** How many requests the last round trip carried. */
	private volatile int carried;

	/**
	 * Create the lanes to a node.
	 * @param maxConnections how many round trips are under way at most
	 * @param maxWaiting how many requests wait at most, beside those that could have a
	 * connection of their own
	 * @param patience how long somebody waits for a lane before it goes by a further one
	 */
	RequestBatcher(int maxConnections, int maxWaiting, Duration patience) {
		this.usual = Math.min(USUAL, maxConnections);
		this.most = maxConnections;
		this.waiting = new PendingRequests(maxConnections - this.usual + maxWaiting);
		this.patience = patience;
	}

	/**
	 * Send what a request has to send, and wait for the replies.
	 * @param calls what to send
	 * @param time how long to wait
	 * @param late waits for what nobody waits for any more
	 * @return whether the exchange took place and the replies, or their failure, are to
	 * be delivered; else the calls have failed
	 */
	boolean run(NodeCalls calls, CallTime time, LateReplyReader late) {
		PendingRequest pending = new PendingRequest(calls, time);
		if (this.waiting.isEmpty() && mayGo(1) && take(this.usual)) {
			pending.lead();
			lead(pending, false, late);
			return pending.hasEnded();
		}
		// Who waits allocates nothing: there may be no memory, and others count on it.
		Deadline patience = Deadline.inNanos(Math.min(this.patience.toNanos(), time.nextLookNanos()));
		if (!this.waiting.add(pending)) {
			calls.notSent(calls.node().tooMany());
			return false;
		}
		if ((mayGo(this.waiting.count()) && hasLane(pending, this.usual)) || hasLostPatience(pending, patience)) {
			lead(pending, true, late);
		}
		else {
			await(pending, late);
		}
		return pending.hasEnded();
	}

	private boolean mayGo(int waiting) {
		return this.busy.get() == 0 || areEnough(waiting);
	}

	/** Whether they are worth a lane. */
	private boolean areEnough(int waiting) {
		return waiting >= this.carried || this.waiting.isFull();
	}

	private boolean hasLane(PendingRequest pending, int limit) {
		if (!take(limit)) {
			return false;
		}
		boolean leads = pending.lead();
		if (!leads) {
			passOn();
		}
		return leads;
	}

	private boolean hasLostPatience(PendingRequest pending, Deadline patience) {
		return pending.await(State.WAITING, patience.leftNanos()) == State.WAITING && patience.isOver()
				&& hasLane(pending, this.most);
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
	 * Whether the lane that ends is to wait for more. Where there are no further lanes
	 * for those that lose their patience, there is nothing to spare.
	 */
	private boolean isSpare() {
		return this.busy.get() == USUAL && this.most > USUAL && !areEnough(this.waiting.count());
	}

	/** Give the free lanes to those that have waited longest. */
	private void giveAway() {
		while (!this.waiting.isEmpty() && mayGo(this.waiting.count()) && take(this.usual)) {
			if (!this.waiting.leadOldest()) {
				this.busy.decrementAndGet();
			}
		}
	}

	private void passOn() {
		if (isSpare() || !this.waiting.leadOldest()) {
			this.busy.decrementAndGet();
			// Somebody may have come meanwhile.
			giveAway();
		}
	}

	private void await(PendingRequest pending, LateReplyReader late) {
		State state = pending.state();
		boolean queued = false;
		while (state == State.WAITING || state == State.SENT) {
			if (pending.await(state, pending.nextLookNanos()) == state) {
				queued = goOrLeave(pending, state);
			}
			state = pending.state();
		}
		if (state == State.LEADS) {
			lead(pending, queued, late);
		}
		else if (state == State.READS) {
			pending.batch().read(pending);
		}
	}

	/**
	 * Also who comes late, because its thread did, goes if it can.
	 * @return whether it has found a lane itself, and is still queued
	 */
	private boolean goOrLeave(PendingRequest pending, State state) {
		boolean interrupted = Thread.currentThread().isInterrupted();
		if (interrupted || (state == State.SENT && pending.isLate())) {
			leave(pending, state, interrupted ? StoreFailure.TIMEOUT : pending.whyLate());
		}
		else if (state == State.WAITING) {
			Node node = pending.calls().node();
			boolean inVain = pending.time().isInVain(node);
			if (!inVain && hasLane(pending, this.most)) {
				return true;
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
		Node node = pending.calls().node();
		if (state == State.WAITING) {
			this.waiting.remove(pending);
			pending.calls().left(failure, new NoConnectionException(failure, "no connection was free in time", null));
			return;
		}
		if (failure == StoreFailure.TIMEOUT && !Thread.currentThread().isInterrupted()) {
			node.notAnswered();
		}
		pending.calls().left(failure, new SocketTimeoutException("Nothing more came in time"));
	}

	private void lead(PendingRequest pending, boolean queued, LateReplyReader late) {
		PipelinedBatch batch = null;
		try {
			batch = board(pending, queued, late);
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
					this.waiting.remove(pending);
				}
				passOn();
			}
		}
		if (batch != null && batch.write()) {
			batch.read(pending);
		}
	}

	/**
	 * Whoever comes while the leader waits for a connection is taken along, too. A leader
	 * that is still queued stays behind those that came before it.
	 */
	private PipelinedBatch board(PendingRequest leader, boolean queued, LateReplyReader late)
			throws NoConnectionException, InterruptedException {
		Node node = leader.calls().node();
		if (leader.time().isInVain(node)) {
			throw node.noneInTime();
		}
		RedisConnection connection = node.borrow(leader.time());
		try {
			int room = this.waiting.room();
			List<PendingRequest> requests = new ArrayList<>(room + 1);
			PipelinedBatch batch = new PipelinedBatch(node, connection, late, new BatchSlot(node, late), requests);
			if (!queued) {
				requests.add(leader);
			}
			this.waiting.board(batch, requests, room, leader);
			if (queued && !requests.contains(leader)) {
				this.waiting.remove(leader);
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

	/** A lane while it is used. */
	private final class BatchSlot implements PipelinedBatch.Slot {

		private final Node node;

		private final LateReplyReader late;

		BatchSlot(Node node, LateReplyReader late) {
			this.node = node;
			this.late = late;
		}

		/**
		 * Those that wait need not be awake to be sent: one of them reads when it is.
		 */
		@Override
		public void free(RedisConnection connection) {
			PipelinedBatch next;
			try {
				next = next(connection);
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

		private @Nullable PipelinedBatch next(RedisConnection connection) {
			int room = RequestBatcher.this.waiting.room();
			if (room == 0 || isSpare() || connection.hasUnread() || this.node.isLinkWanted()) {
				return null;
			}
			List<PendingRequest> requests = new ArrayList<>(room);
			PipelinedBatch batch = new PipelinedBatch(this.node, connection, this.late, this, requests);
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
