package dev.ratelimit.store.redis;

import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.redis.Share.State;
import org.jspecify.annotations.Nullable;

/**
 * The way to one node, on which requests that come at the same time share round trips.
 * Three round trips are under way at once. Who finds a free lane goes by itself, and
 * takes along who waits; who finds none waits until one is free. So nobody waits where
 * there is nothing to share, nobody is overtaken, and a request is always served by its
 * own thread or by that of another request. While two lanes are under way, the third
 * waits for somebody to come, or for four that wait: nothing costs as much as to wake
 * threads, so they go together with who is awake, or when the next lane is free. Where
 * round trips take long, because the node is far away or a connection hangs, nobody waits
 * for them: after five milliseconds the one that waits goes by a further lane, while
 * there are connections.
 */
final class Lanes {

	private static final int USUAL = 3;

	/** So many are enough for Redis to have something to do. */
	private static final int ENOUGH = 2;

	/** So many that wait are worth a lane that is not needed. */
	private static final int WORTH_A_LANE = 4;

	/** Longer than a round trip to a node that is near. */
	static final Duration PATIENCE = Duration.ofMillis(5);

	private final int usual;

	private final int most;

	private final Duration patience;

	private final WaitingShares waiting;

	private final AtomicInteger busy = new AtomicInteger();

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
	 * @param deadline how long to wait
	 * @param late waits for what nobody waits for any more
	 * @return whether the exchange took place and the replies, or their failure, are to
	 * be delivered; else the calls have failed
	 */
	boolean run(NodeExchange exchange, Deadline deadline, LateReplies late) {
		if (this.waiting.isEmpty() && take(this.usual)) {
			Share first = new Share(exchange, deadline, State.LEADS);
			lead(first, false, late);
			return first.hasEnded();
		}
		Share share = new Share(exchange, deadline, State.WAITING);
		if (!this.waiting.add(share)) {
			exchange
				.notSent(new NoLinkException(StoreFailure.OVERLOADED, "too many requests wait for a connection", null));
			return false;
		}
		if (areFewWaiting() && take(this.usual)) {
			if (share.lead()) {
				lead(share, true, late);
				return share.hasEnded();
			}
			passOn();
		}
		giveAway();
		await(share, late);
		return share.hasEnded();
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

	private boolean areFewWaiting() {
		return this.waiting.count() < WORTH_A_LANE;
	}

	/** Whether who waits is to wait for somebody to come, or for another lane. */
	private boolean isSpare() {
		return this.busy.get() == USUAL && areFewWaiting();
	}

	/** Give the free lanes to those that have waited longest. */
	private void giveAway() {
		while (!this.waiting.isEmpty() && take(areFewWaiting() ? Math.min(this.usual, ENOUGH) : this.usual)) {
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
		goOnAfterPatience(share);
		State state = share.state();
		while (state == State.WAITING || state == State.SENT) {
			if (share.await(state, share.deadline()) == state) {
				leave(share, state);
			}
			state = share.state();
		}
		if (state == State.LEADS) {
			lead(share, false, late);
		}
		else if (state == State.READS) {
			share.trip().read(share);
		}
	}

	private void goOnAfterPatience(Share share) {
		Deadline patience = Deadline.in(this.patience).orEarlier(share.deadline());
		if (share.await(State.WAITING, patience) == State.WAITING && !share.deadline().isOver() && take(this.most)) {
			if (share.lead()) {
				this.waiting.remove(share);
			}
			else {
				passOn();
			}
		}
	}

	private void leave(Share share, State state) {
		if (!share.leave(state)) {
			return;
		}
		if (state == State.WAITING) {
			this.waiting.remove(share);
			share.exchange().left(noneInTime());
		}
		else {
			share.exchange().left(new SocketTimeoutException("Nothing more came in time"));
		}
	}

	private static NoLinkException noneInTime() {
		return new NoLinkException(StoreFailure.TIMEOUT, "no connection was free in time", null);
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
		if (leader.deadline().isOver()) {
			throw noneInTime();
		}
		Node node = leader.exchange().node();
		Link link = node.borrow(leader.deadline());
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
				this.node.release(link);
				passOn();
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
			return shares.isEmpty() ? null : trip;
		}

		@Override
		public void lost() {
			passOn();
		}

	}

}
