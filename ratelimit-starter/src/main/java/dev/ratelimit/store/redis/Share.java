package dev.ratelimit.store.redis;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;

/**
 * The part of one request in a round trip. Others carry it along, but the request leaves
 * when its own time is over: which of the two came first is decided by its state, so that
 * each reply is either the request's or given back.
 */
final class Share {

	/** What happens to it, and who may act on that. */
	enum State {

		/** It was not sent. */
		WAITING,

		/** It has a lane: its owner is to make a round trip. */
		LEADS,

		/** It was sent; somebody else reads. */
		SENT,

		/** It was sent; its owner is to read for all. */
		READS,

		/** The exchange is its owner's: nothing more will come. */
		ENDED,

		/** Its owner has left, and what comes is late. */
		LEFT

	}

	private final NodeExchange exchange;

	private final Deadline deadline;

	private final Thread owner = Thread.currentThread();

	private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);

	private @Nullable RoundTrip trip;

	/**
	 * Create the share of the current thread's request, which waits.
	 * @param exchange what it sends
	 * @param deadline when it leaves
	 */
	Share(NodeExchange exchange, Deadline deadline) {
		this.exchange = exchange;
		this.deadline = deadline;
	}

	NodeExchange exchange() {
		return this.exchange;
	}

	Deadline deadline() {
		return this.deadline;
	}

	/** The round trip it is part of, once it was sent. */
	RoundTrip trip() {
		return Objects.requireNonNull(this.trip);
	}

	State state() {
		return Objects.requireNonNull(this.state.get());
	}

	boolean hasEnded() {
		return state() == State.ENDED;
	}

	boolean hasLeft() {
		return state() == State.LEFT;
	}

	/** Give it a lane, if it still waits. */
	boolean lead() {
		return wakeAfter(change(State.WAITING, State.LEADS));
	}

	/** Take it along, if it still waits. There is nothing yet to wake its owner for. */
	boolean board(RoundTrip trip) {
		this.trip = trip;
		return change(State.WAITING, State.SENT);
	}

	/** Have its owner read for all, if that is still there. */
	boolean read() {
		return wakeAfter(change(State.SENT, State.READS));
	}

	/**
	 * Hand the exchange to its owner, if that is still there, who is to be woken then.
	 */
	boolean end() {
		return change(State.SENT, State.ENDED) || change(State.LEADS, State.ENDED) || change(State.READS, State.ENDED);
	}

	private boolean change(State from, State to) {
		return this.state.compareAndSet(from, to);
	}

	private boolean wakeAfter(boolean change) {
		if (change) {
			wake();
		}
		return change;
	}

	void wake() {
		if (this.owner != Thread.currentThread()) {
			LockSupport.unpark(this.owner);
		}
	}

	/**
	 * Wait for what others do about it. Called by its owner.
	 * @param from the state in which to wait
	 * @param until how long
	 * @return the state then, which is the same if the time is over or the thread was
	 * interrupted
	 */
	State await(State from, Deadline until) {
		while (state() == from && !until.isOver() && !Thread.currentThread().isInterrupted()) {
			LockSupport.parkNanos(this, until.leftNanos());
		}
		return state();
	}

	/**
	 * Leave, if nobody has done anything about it. Called by its owner, whose calls know
	 * their fate before anybody can see to what comes late.
	 * @param from the state as the owner knows it
	 * @return whether it has left
	 */
	boolean leave(State from) {
		this.exchange.timedOut(from != State.WAITING);
		return change(from, State.LEFT);
	}

}
