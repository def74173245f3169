package dev.ratelimit.store.redis;

import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
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

	private static final int MOST_WEIGHT = 64;

	/** Longer than a round trip to a node that is near. */
	static final Duration PATIENCE = Duration.ofMillis(5);

	private final int usual;

	private final int most;

	private final int maxWaiting;

	private final Duration patience;

	private final Queue<Share> queue = new ConcurrentLinkedQueue<>();

	/** At least as many as are queued, which is costly to count. */
	private final AtomicInteger waiting = new AtomicInteger();

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
		this.maxWaiting = maxConnections - this.usual + maxWaiting;
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
		if (this.queue.isEmpty() && take(this.usual)) {
			Share first = new Share(exchange, deadline, State.LEADS);
			lead(first, false, late);
			return first.hasEnded();
		}
		if (this.waiting.incrementAndGet() > this.maxWaiting) {
			this.waiting.decrementAndGet();
			exchange
				.notSent(new NoLinkException(StoreFailure.OVERLOADED, "too many requests wait for a connection", null));
			return false;
		}
		Share share = new Share(exchange, deadline, State.WAITING);
		this.queue.add(share);
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
		return this.waiting.get() < WORTH_A_LANE;
	}

	/** Whether who waits is to wait for somebody to come, or for another lane. */
	private boolean isSpare() {
		return this.busy.get() == USUAL && areFewWaiting();
	}

	/** Give the free lanes to those that have waited longest. */
	private void giveAway() {
		while (!this.queue.isEmpty() && take(areFewWaiting() ? Math.min(this.usual, ENOUGH) : this.usual)) {
			if (!giveToOldest()) {
				this.busy.decrementAndGet();
			}
		}
	}

	private boolean giveToOldest() {
		Share oldest = poll();
		while (oldest != null && !oldest.lead()) {
			oldest = poll();
		}
		return oldest != null;
	}

	private @Nullable Share poll() {
		Share oldest = this.queue.poll();
		if (oldest != null) {
			this.waiting.decrementAndGet();
		}
		return oldest;
	}

	private void passOn() {
		if (isSpare() || !giveToOldest()) {
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
				forget(share);
			}
			else {
				passOn();
			}
		}
	}

	private void forget(Share share) {
		if (this.queue.remove(share)) {
			this.waiting.decrementAndGet();
		}
	}

	private void leave(Share share, State state) {
		if (!share.leave(state)) {
			return;
		}
		if (state == State.WAITING) {
			forget(share);
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
					forget(share);
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
			int room = room();
			List<Share> shares = new ArrayList<>(room + 1);
			RoundTrip trip = new RoundTrip(node, link, late, new Lane(node, late), shares);
			if (!queued) {
				shares.add(leader);
			}
			takeAlong(trip, shares, room, leader);
			if (queued && !shares.contains(leader)) {
				forget(leader);
				shares.add(leader);
			}
			return trip;
		}
		catch (Throwable ex) {
			node.discard(link, StoreFailure.ERROR);
			throw ex;
		}
	}

	private int room() {
		return Math.min(MOST_WEIGHT, this.waiting.get());
	}

	/** Allocates nothing, or those taken along could be lost. */
	private void takeAlong(RoundTrip trip, List<Share> shares, int room, @Nullable Share leader) {
		int weight = (leader != null) ? leader.exchange().weight() : 0;
		for (int i = 0; i < room && weight < MOST_WEIGHT; i++) {
			Share next = poll();
			if (next == null) {
				return;
			}
			if (next == leader) {
				shares.add(next);
			}
			else if (!next.deadline().isOver() && next.board(trip)) {
				shares.add(next);
				weight += next.exchange().weight();
			}
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
			int room = room();
			if (room == 0 || isSpare() || link.hasUnread() || this.node.isLinkWanted()) {
				return null;
			}
			List<Share> shares = new ArrayList<>(room);
			RoundTrip trip = new RoundTrip(this.node, link, this.late, this, shares);
			takeAlong(trip, shares, room, null);
			return shares.isEmpty() ? null : trip;
		}

		@Override
		public void lost() {
			passOn();
		}

	}

}
