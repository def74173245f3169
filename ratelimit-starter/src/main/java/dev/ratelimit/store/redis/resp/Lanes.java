package dev.ratelimit.store.redis.resp;

import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.redis.resp.Share.State;
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
final class Lanes {

	private static final int USUAL = 2;

	/** Longer than a round trip to a node that is near. */
	static final Duration PATIENCE = Duration.ofMillis(5);

	private final int usual;

	private final int most;

	private final Duration patience;

	private final WaitingShares waiting;

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
	Lanes(int maxConnections, int maxWaiting, Duration patience) {
		this.usual = Math.min(USUAL, maxConnections);
		this.most = maxConnections;
		this.waiting = new WaitingShares(maxConnections - this.usual + maxWaiting);
		this.patience = patience;
	}

	/**
	 * Send what a request has to send, and wait for the replies.
	 * @param exchange what to send
	 * @param time how long to wait
	 * @param late waits for what nobody waits for any more
	 * @return whether the exchange took place and the replies, or their failure, are to
	 * be delivered; else the calls have failed
	 */
	boolean run(NodeExchange exchange, CallTime time, LateReplies late) {
		Share share = new Share(exchange, time);
		if (this.waiting.isEmpty() && mayGo(1) && take(this.usual)) {
			share.lead();
			lead(share, false, late);
			return share.hasEnded();
		}
		// Who waits allocates nothing: there may be no memory, and others count on it.
		Deadline patience = Deadline.inNanos(Math.min(this.patience.toNanos(), time.nextLookNanos()));
		if (!this.waiting.add(share)) {
			exchange.notSent(exchange.node().tooMany());
			return false;
		}
		if ((mayGo(this.waiting.count()) && hasLane(share, this.usual)) || hasLostPatience(share, patience)) {
			lead(share, true, late);
		}
		else {
			await(share, late);
		}
		return share.hasEnded();
	}

	private boolean mayGo(int waiting) {
		return this.busy.get() == 0 || areEnough(waiting);
	}

	/** Whether they are worth a lane. */
	private boolean areEnough(int waiting) {
		return waiting >= this.carried || this.waiting.isFull();
	}

	private boolean hasLane(Share share, int limit) {
		if (!take(limit)) {
			return false;
		}
		boolean leads = share.lead();
		if (!leads) {
			passOn();
		}
		return leads;
	}

	private boolean hasLostPatience(Share share, Deadline patience) {
		return share.await(State.WAITING, patience.leftNanos()) == State.WAITING && patience.isOver()
				&& hasLane(share, this.most);
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

	private void await(Share share, LateReplies late) {
		State state = share.state();
		boolean queued = false;
		while (state == State.WAITING || state == State.SENT) {
			if (share.await(state, share.nextLookNanos()) == state) {
				queued = goOrLeave(share, state);
			}
			state = share.state();
		}
		if (state == State.LEADS) {
			lead(share, queued, late);
		}
		else if (state == State.READS) {
			share.trip().read(share);
		}
	}

	/**
	 * Also who comes late, because its thread did, goes if it can.
	 * @return whether it has found a lane itself, and is still queued
	 */
	private boolean goOrLeave(Share share, State state) {
		boolean interrupted = Thread.currentThread().isInterrupted();
		if (interrupted || (state == State.SENT && share.isLate())) {
			leave(share, state, interrupted ? StoreFailure.TIMEOUT : share.whyLate());
		}
		else if (state == State.WAITING) {
			Node node = share.exchange().node();
			boolean inVain = share.time().isInVain(node);
			if (!inVain && hasLane(share, this.most)) {
				return true;
			}
			if (inVain || share.time().isOver(node)) {
				leave(share, state, share.whyLate());
			}
		}
		return false;
	}

	private void leave(Share share, State state, StoreFailure failure) {
		if (!share.leave(state, failure)) {
			return;
		}
		Node node = share.exchange().node();
		if (state == State.WAITING) {
			this.waiting.remove(share);
			share.exchange().left(failure, new NoLinkException(failure, "no connection was free in time", null));
			return;
		}
		if (failure == StoreFailure.TIMEOUT && !Thread.currentThread().isInterrupted()) {
			node.notAnswered();
		}
		share.exchange().left(failure, new SocketTimeoutException("Nothing more came in time"));
	}

	private void lead(Share share, boolean queued, LateReplies late) {
		RoundTrip trip = null;
		try {
			trip = board(share, queued, late);
		}
		catch (NoLinkException ex) {
			share.exchange().notSent(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			share.exchange().notSent(StoreFailure.TIMEOUT, ex);
		}
		finally {
			if (trip == null) {
				if (queued) {
					this.waiting.remove(share);
				}
				passOn();
			}
		}
		if (trip != null && trip.write()) {
			trip.read(share);
		}
	}

	/**
	 * Whoever comes while the leader waits for a connection is taken along, too. A leader
	 * that is still queued stays behind those that came before it.
	 */
	private RoundTrip board(Share leader, boolean queued, LateReplies late)
			throws NoLinkException, InterruptedException {
		Node node = leader.exchange().node();
		if (leader.time().isInVain(node)) {
			throw node.noneInTime();
		}
		Link link = node.borrow(leader.time());
		try {
			int room = this.waiting.room();
			List<Share> shares = new ArrayList<>(room + 1);
			RoundTrip trip = new RoundTrip(node, link, late, new Lane(node, late), shares);
			if (!queued) {
				shares.add(leader);
			}
			this.waiting.board(trip, shares, room, leader);
			if (queued && !shares.contains(leader)) {
				this.waiting.remove(leader);
				shares.add(leader);
			}
			this.carried = shares.size();
			return trip;
		}
		catch (Throwable ex) {
			node.discard(link, StoreFailure.ERROR);
			throw ex;
		}
	}

	/** A lane while it is used. */
	private final class Lane implements RoundTrip.Lane {

		private final Node node;

		private final LateReplies late;

		Lane(Node node, LateReplies late) {
			this.node = node;
			this.late = late;
		}

		/**
		 * Those that wait need not be awake to be sent: one of them reads when it is.
		 */
		@Override
		public void free(Link link) {
			RoundTrip next;
			try {
				next = next(link);
			}
			catch (Throwable ex) {
				this.node.discard(link, StoreFailure.ERROR);
				passOn();
				throw ex;
			}
			if (next == null) {
				try {
					this.node.release(link);
				}
				finally {
					passOn();
				}
			}
			else if (next.write()) {
				next.handOver();
			}
		}

		private @Nullable RoundTrip next(Link link) {
			int room = Lanes.this.waiting.room();
			if (room == 0 || isSpare() || link.hasUnread() || this.node.isLinkWanted()) {
				return null;
			}
			List<Share> shares = new ArrayList<>(room);
			RoundTrip trip = new RoundTrip(this.node, link, this.late, this, shares);
			Lanes.this.waiting.board(trip, shares, room, null);
			if (shares.isEmpty()) {
				return null;
			}
			Lanes.this.carried = shares.size();
			return trip;
		}

		@Override
		public void lost() {
			passOn();
		}

	}

}
