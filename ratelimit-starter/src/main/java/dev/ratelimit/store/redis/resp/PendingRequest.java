package dev.ratelimit.store.redis.resp;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

import dev.ratelimit.store.StoreFailure;
import org.jspecify.annotations.Nullable;

/**
 * The part of one request in a round trip. Others carry it along, but the request leaves
 * when its own time is over: which of the two came first is decided by its state, so that
 * each reply is either the request's or given back.
 */
final class PendingRequest {

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

	private final NodeCalls calls;

	private final CallTime time;

	private final Thread owner = Thread.currentThread();

	private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);

	private @Nullable PipelinedBatch batch;

	private volatile @Nullable Deadline deadline;

	/**
	 * Create the share of the current thread's request, which waits.
	 * @param calls what it sends
	 * @param time how long it may take
	 */
	PendingRequest(NodeCalls calls, CallTime time) {
		this.calls = calls;
		this.time = time;
	}

	NodeCalls calls() {
		return this.calls;
	}

	CallTime time() {
		return this.time;
	}

	/** When its reply must be there, once it was written. */
	Deadline deadline() {
		return Objects.requireNonNull(this.deadline);
	}

	/** It was written, and its deadline runs. */
	void written() {
		this.deadline = this.time.forReply(this.calls.node());
	}

	/**
	 * How long its owner waits before it looks whether it leaves. What others do about it
	 * wakes its owner before that, but that it was written does not.
	 */
	long nextLookNanos() {
		Deadline written = this.deadline;
		if (written == null) {
			return this.time.nextLookNanos();
		}
		return written.isOver() ? this.time.laterNanos() : written.leftNanos();
	}

	/**
	 * Whether its owner waits for no reply any more: it was not written while its turn
	 * could come, or nothing has arrived by its deadline. What has arrived only wants a
	 * thread that reads it.
	 */
	boolean isLate() {
		Deadline written = this.deadline;
		if (written == null) {
			return this.time.isOver(this.calls.node());
		}
		return written.isOver() && (!batch().isArriving() || this.time.isFarBeyond(written));
	}

	/** Why its owner waits for no reply any more. */
	StoreFailure whyLate() {
		boolean written = this.deadline != null;
		return ((written && !batch().isArriving()) || this.calls.node().isSilent()) ? StoreFailure.TIMEOUT
				: StoreFailure.OVERLOADED;
	}

	/** The round trip it is part of, once it was sent. */
	PipelinedBatch batch() {
		return Objects.requireNonNull(this.batch);
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
	boolean board(PipelinedBatch batch) {
		this.batch = batch;
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
	 * @param nanos how long
	 * @return the state then, which is the same if the time is over or the thread was
	 * interrupted
	 */
	State await(State from, long nanos) {
		long end = Deadline.nowNanos() + nanos;
		long left = nanos;
		while (state() == from && left > 0 && !Thread.currentThread().isInterrupted()) {
			LockSupport.parkNanos(this, left);
			left = end - Deadline.nowNanos();
		}
		return state();
	}

	/**
	 * Leave, if nobody has done anything about it. Called by its owner, whose calls know
	 * their fate before anybody can see to what comes late.
	 * @param from the state as the owner knows it
	 * @param failure why it leaves
	 * @return whether it has left
	 */
	boolean leave(State from, StoreFailure failure) {
		this.calls.timedOut(failure, from != State.WAITING);
		return change(from, State.LEFT);
	}

}
