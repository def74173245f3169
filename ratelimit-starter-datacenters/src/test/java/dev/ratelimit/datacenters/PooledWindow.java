package dev.ratelimit.datacenters;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What one data centre stores of one subject that all data centres limit together: the
 * twin of {@code PooledWindow.lua}, and its specification. All operations are pure.
 * <p>
 * All together admit at most {@code limit + (D - 1) * overshoot} per window number. The
 * data centre that takes the last permit from the pool lacks at most {@code overshoot}
 * permits of each other one: that one took no more without an acknowledgement, and what
 * is acknowledged is stored here and part of {@code known}.
 *
 * @param number the number of the current window; it never goes back
 * @param born identifies this record: a Redis that has lost its data starts another one
 * @param current the window {@code number}
 * @param next the window {@code number + 1}, of which a peer with a faster clock reports
 */
record PooledWindow(long number, String born, Slot current, Slot next) {

	static PooledWindow empty(long number, String born) {
		return new PooledWindow(number, born, Slot.EMPTY, Slot.EMPTY);
	}

	/** Follow the clock, but never back. */
	PooledWindow roll(long clock) {
		if (clock <= this.number) {
			return this;
		}
		return new PooledWindow(clock, this.born, (clock == this.number + 1) ? this.next : Slot.EMPTY, Slot.EMPTY);
	}

	/**
	 * Decide a request.
	 * @param clock the number of the window by the clock of this Redis
	 * @param cost how many permits the request takes
	 * @param terms the terms of this data centre
	 * @param peers the names of all other data centres
	 * @param open whether this data centre may take permits from the pool at all
	 */
	Taken take(long clock, long cost, Terms terms, Set<String> peers, boolean open) {
		PooledWindow rolled = roll(clock);
		Slot slot = rolled.current;
		Room room = slot.room(terms, peers, open);
		long need = cost - room.free();
		if (need <= 0) {
			return rolled.taken(Outcome.ADMITTED, slot.take(cost, 0), terms, peers, open);
		}
		boolean isInPool = need <= room.pool() && need <= terms.overshoot();
		if (isInPool && !room.closed() && need <= room.unacknowledged()) {
			return rolled.taken(Outcome.ADMITTED_FROM_POOL, slot.take(cost, need), terms, peers, open);
		}
		if (isInPool && !room.closed()) {
			return rolled.taken(Outcome.LACKS_ACKNOWLEDGEMENT, slot, terms, peers, open);
		}
		if (isInPool || cost <= terms.share() + slot.own() - slot.used()) {
			return rolled.taken(Outcome.CLOSED, slot, terms, peers, open);
		}
		return rolled.taken((cost > terms.atOnce()) ? Outcome.NEVER : Outcome.REFUSED, slot, terms, peers, open);
	}

	private Taken taken(Outcome outcome, Slot slot, Terms terms, Set<String> peers, boolean open) {
		return new Taken(with(this.number, slot), outcome, slot.room(terms, peers, open).remaining());
	}

	/**
	 * Release permits of a window. Those from the pool are taken again here: what peers
	 * have received of {@code own} never falls.
	 */
	PooledWindow release(long number, long cost) {
		return (number == this.number) ? with(number, this.current.release(cost)) : this;
	}

	/** Whether a peer has not acknowledged all that this data centre took. */
	boolean needsExchange(Set<String> peers) {
		return this.current.own() > this.current.leastAcknowledged(peers);
	}

	/** What this data centre reports to a peer of the current window. */
	Message message(String sender, String receiver, Terms terms) {
		return message(this.number, sender, receiver, terms);
	}

	private Message message(long number, String sender, String receiver, Terms terms) {
		Slot slot = slot(number);
		Peer peer = slot.peer(receiver);
		return new Message(sender, number, slot.own(), this.born, peer.own(), peer.born(), terms.text());
	}

	/**
	 * Store the message of a peer, or its reply.
	 * @param clock the number of the window by the clock of this Redis
	 * @param message the message
	 * @param receiver the name of this data centre
	 * @param terms the terms of this data centre
	 */
	Received receive(long clock, Message message, String receiver, Terms terms) {
		PooledWindow rolled = roll(clock);
		if (message.number() < rolled.number) {
			// Nothing is admitted in that window any more, whatever the peer takes.
			return new Received(rolled, Optional.of(new Message(receiver, message.number(), 0, this.born, message.own(),
					message.born(), terms.text())));
		}
		if (message.number() > rolled.number + 1) {
			return new Received(rolled, Optional.empty());
		}
		Slot slot = rolled.slot(message.number()).store(message, this.born);
		PooledWindow stored = rolled.with(message.number(), slot);
		return new Received(stored, Optional.of(stored.reply(message, receiver, terms)));
	}

	/** Here the receiver sends, to the sender. */
	private Message reply(Message message, String here, Terms terms) {
		String there = message.sender();
		return message(message.number(), here, there, terms);
	}

	private Slot slot(long number) {
		return (number == this.number) ? this.current : this.next;
	}

	private PooledWindow with(long number, Slot slot) {
		return (number == this.number) ? new PooledWindow(number, this.born, slot, this.next)
				: new PooledWindow(this.number, this.born, this.current, slot);
	}

	/**
	 * One window.
	 *
	 * @param used the permits in use here; it falls when permits are released
	 * @param own how many permits this data centre took from the pool; it never falls
	 * @param peers what is stored of each other data centre
	 */
	record Slot(long used, long own, Map<String, Peer> peers) {

		static final Slot EMPTY = new Slot(0, 0, Map.of());

		private Room room(Terms terms, Set<String> listed, boolean open) {
			boolean closed = !open;
			long share = terms.share();
			long known = 0;
			for (Map.Entry<String, Peer> entry : this.peers.entrySet()) {
				Peer peer = entry.getValue();
				if (listed.contains(entry.getKey()) && !Terms.isSame(peer.terms(), terms.text())) {
					closed = true;
					share = Math.min(share, Terms.share(peer.terms()));
				}
				known += peer.own();
			}
			return new Room(share + this.own - this.used, closed, terms.pool() - this.own - known,
					terms.overshoot() - (this.own - leastAcknowledged(listed)));
		}

		private long leastAcknowledged(Set<String> listed) {
			long least = this.own;
			for (String name : listed) {
				least = Math.min(least, peer(name).acked());
			}
			return least;
		}

		private Peer peer(String name) {
			return this.peers.getOrDefault(name, Peer.UNKNOWN);
		}

		private Slot take(long cost, long fromPool) {
			return new Slot(this.used + cost, this.own + fromPool, this.peers);
		}

		private Slot release(long cost) {
			return new Slot(Math.max(0, this.used - cost), this.own, this.peers);
		}

		private Slot store(Message message, String born) {
			Peer peer = peer(message.sender());
			Map<String, Peer> peers = new HashMap<>(this.peers);
			peers.put(message.sender(),
					new Peer(Math.max(peer.own(), message.own()), message.born(),
							message.ackedBorn().equals(born) ? Math.max(peer.acked(), message.acked()) : peer.acked(),
							message.terms()));
			// What a peer has received and this Redis lacks was lost here, and is in use.
			long lost = Math.max(0, message.acked() - this.own);
			return new Slot(this.used + lost, this.own + lost, Map.copyOf(peers));
		}

	}

	/**
	 * What is stored of a peer.
	 *
	 * @param own the largest number of permits that it reported to have taken from the
	 * pool
	 * @param born the record that it reported last
	 * @param acked the largest number of ours that it acknowledged to this record
	 * @param terms its terms
	 */
	record Peer(long own, String born, long acked, String terms) {

		static final Peer UNKNOWN = new Peer(0, "", 0, "");

	}

	/**
	 * What a request may take.
	 *
	 * @param free of the share, and of what was taken from the pool before
	 * @param closed whether nothing may be taken from the pool
	 * @param pool what the pool has left, as far as this data centre has received
	 * @param unacknowledged what may be taken from it before the next acknowledgement
	 */
	private record Room(long free, boolean closed, long pool, long unacknowledged) {

		long remaining() {
			return Math.max(0, this.free) + (this.closed ? 0 : Math.max(0, Math.min(this.pool, this.unacknowledged)));
		}

	}

	/**
	 * The numbers of a limit, in one data centre.
	 *
	 * @param limit what all data centres admit together
	 * @param share what this one may always admit
	 * @param pool what is left of the limit
	 * @param overshoot how many permits of the pool one data centre may take before all
	 * others have acknowledged them
	 */
	record Terms(long limit, long share, long pool, long overshoot) {

		/**
		 * The terms of one of several data centres.
		 * @param limit what all data centres admit together
		 * @param centres how many there are
		 * @param place its place in the order of their names
		 * @param sharePercent the percentage of the limit that is guaranteed
		 * @param overshootPercent the percentage above the limit that is allowed
		 */
		static Terms of(long limit, int centres, int place, int sharePercent, int overshootPercent) {
			long overshoot = limit * overshootPercent / (100L * (centres - 1));
			if (overshoot == 0) {
				return new Terms(limit, limit / centres + ((place < limit % centres) ? 1 : 0), 0, 0);
			}
			long share = limit * sharePercent / (100L * centres);
			return new Terms(limit, share, limit - centres * share, overshoot);
		}

		/** What a data centre may admit without any peer. */
		long atOnce() {
			return this.share + Math.min(this.overshoot, this.pool);
		}

		String text() {
			return this.limit + " " + this.share + " " + this.overshoot;
		}

		/** Without a pool, shares differ by the remainder of the division. */
		static boolean isSame(String one, String other) {
			return one.equals(other) || (one.endsWith(" 0") && other.endsWith(" 0")
					&& one.substring(0, one.indexOf(' ')).equals(other.substring(0, other.indexOf(' '))));
		}

		static long share(String text) {
			return Long.parseLong(text.substring(text.indexOf(' ') + 1, text.lastIndexOf(' ')));
		}

	}

	/**
	 * What a data centre reports to a peer, read in one step.
	 *
	 * @param sender its name
	 * @param number the number of the window
	 * @param own how many permits it took from the pool
	 * @param born its record
	 * @param acked what it has stored of the receiver's own permits
	 * @param ackedBorn the record of the receiver that is stored beside them
	 * @param terms its terms
	 */
	record Message(String sender, long number, long own, String born, long acked, String ackedBorn, String terms) {
	}

	/**
	 * A decision.
	 *
	 * @param after the state after it
	 * @param outcome the decision
	 * @param remaining what may be admitted after it
	 */
	record Taken(PooledWindow after, Outcome outcome, long remaining) {

		boolean admitted() {
			return this.outcome == Outcome.ADMITTED || this.outcome == Outcome.ADMITTED_FROM_POOL;
		}

	}

	/**
	 * What a message leads to.
	 *
	 * @param after the state after it
	 * @param reply none to a window that has not begun here, nor the one before it
	 */
	record Received(PooledWindow after, Optional<Message> reply) {
	}

	enum Outcome {

		ADMITTED,

		/** Admitted, and to be exchanged. */
		ADMITTED_FROM_POOL,

		/** Refused until a peer acknowledges, a second or the end of the window. */
		LACKS_ACKNOWLEDGEMENT,

		/** Refused until all have the same limit, a second or the end of the window. */
		CLOSED,

		/** Refused until the end of the window. */
		REFUSED,

		/** Refused in every window. */
		NEVER

	}

}
