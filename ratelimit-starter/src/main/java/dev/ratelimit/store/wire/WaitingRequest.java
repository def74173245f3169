package dev.ratelimit.store.wire;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

import dev.ratelimit.store.StoreFailure;
import org.jspecify.annotations.Nullable;

/**
 * The part of one request in a batch. Other threads send it and read for it, but the
 * request leaves when its own time is over. Its state decides which of the two came
 * first, so each reply is either delivered to the request or handled as a late one.
 * <p>
 * Its owner is a thread that waits, and may itself send and read. While that thread is
 * elsewhere, as it has requests to several nodes, a thread of the node does so. A request
 * without an owner has a completion to run instead, and the timer of the node ends it.
 */
final class WaitingRequest {

	/** The progress of the request, which decides which thread may act on it. */
	enum State {

		/** It was not sent. */
		WAITING,

		/** It has a batch slot: its owner is to send a batch. */
		LEADS,

		/** It was sent; another thread reads. */
		SENT,

		/** It was sent; its owner is to read for all. */
		READS,

		/** The exchange belongs to its owner: no more replies will come. */
		ENDED,

		/** Its owner has left, and replies from now on are late. */
		LEFT

	}

	private static final AtomicReference<@Nullable Consumer<WaitingRequest>> NO_COMPLETION = new AtomicReference<>();

	/** The group of all virtual threads, as the JDK specifies since they exist. */
	private static final String VIRTUAL_THREADS = "VirtualThreads";

	private final NodeCalls calls;

	private final CallTime time;

	/** The thread that waits; {@code null} if there is a completion. */
	private final @Nullable Thread owner;

	private final boolean virtual;

	/** Run once, when it has ended or left. */
	private final AtomicReference<@Nullable Consumer<WaitingRequest>> completion;

	private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);

	private @Nullable PipelinedBatch batch;

	private volatile @Nullable Deadline deadline;

	/** Whether its owner sends to another node, reads from it or waits for it. */
	private volatile boolean alone;

	/**
	 * Create the waiting part of the current thread's request.
	 * @param calls the calls it sends
	 * @param time how long it may take
	 */
	WaitingRequest(NodeCalls calls, CallTime time) {
		this(calls, time, Thread.currentThread(), null);
	}

	private WaitingRequest(NodeCalls calls, CallTime time, @Nullable Thread owner,
			@Nullable Consumer<WaitingRequest> completion) {
		this.calls = calls;
		this.time = time;
		this.owner = owner;
		this.virtual = owner != null && VIRTUAL_THREADS.equals(groupName(owner));
		this.completion = (completion != null) ? new AtomicReference<>(completion) : NO_COMPLETION;
	}

	/**
	 * Create the part of a request that no thread waits for.
	 * @param calls the calls it sends
	 * @param time how long it may take
	 * @param completion run when it has ended or left, on any thread: must not wait
	 * @return the part
	 */
	static WaitingRequest completing(NodeCalls calls, CallTime time, Consumer<WaitingRequest> completion) {
		return new WaitingRequest(calls, time, null, completion);
	}

	private static @Nullable String groupName(Thread thread) {
		ThreadGroup group = thread.getThreadGroup();
		return (group != null) ? group.getName() : null;
	}

	NodeCalls calls() {
		return this.calls;
	}

	/**
	 * Whether threads of the node should send and read for it: it has no thread, or a
	 * virtual one, which may get no processor for a long time after it has waited.
	 */
	boolean isServedByNode() {
		return this.virtual || !hasThread();
	}

	/** Whether its thread is there, which can send and read. */
	boolean hasThread() {
		return this.owner != null && !this.alone;
	}

	/** Whether a thread waits for it, now or later. */
	boolean hasOwner() {
		return this.owner != null;
	}

	/** Its owner attends to another request first. */
	void leaveAlone() {
		this.alone = true;
	}

	/** Its owner attends to it from now on. */
	void attend() {
		if (this.alone) {
			this.alone = false;
		}
	}

	CallTime time() {
		return this.time;
	}

	/** The time by which its reply must have arrived, once it was written. */
	Deadline deadline() {
		return Objects.requireNonNull(this.deadline);
	}

	/**
	 * It was written, and its deadline runs.
	 * @param batch the batch that carries it
	 */
	void written(PipelinedBatch batch) {
		this.batch = batch;
		this.deadline = this.time.forReply(this.calls.node());
	}

	/**
	 * How long its owner waits before it checks whether to leave. State changes by other
	 * threads wake the owner earlier, but the write does not.
	 */
	long nextCheckNanos() {
		Deadline written = this.deadline;
		if (written == null) {
			return this.time.nextCheckNanos();
		}
		return written.isOver() ? this.time.laterNanos() : written.leftNanos();
	}

	/**
	 * Whether its owner should stop waiting for the reply: either it was not written
	 * while it could still get a turn, or nothing has arrived by its deadline. Bytes that
	 * have arrived only need a thread that reads them.
	 */
	boolean isLate() {
		Deadline written = this.deadline;
		if (written == null) {
			return this.time.isOver(this.calls.node());
		}
		return written.isOver() && (!batch().isArriving() || this.time.isFarBeyond(written));
	}

	/** Why its owner stops waiting for the reply. */
	StoreFailure whyLate() {
		boolean written = this.deadline != null;
		return ((written && !batch().isArriving()) || this.calls.node().isSilent()) ? StoreFailure.TIMEOUT
				: StoreFailure.OVERLOADED;
	}

	/** The batch that carries it, once it was written. */
	PipelinedBatch batch() {
		return Objects.requireNonNull(this.batch);
	}

	State state() {
		return Objects.requireNonNull(this.state.get());
	}

	boolean hasEnded() {
		return state() == State.ENDED;
	}

	boolean isSent() {
		return state() == State.SENT;
	}

	boolean hasLeft() {
		return state() == State.LEFT;
	}

	/** Give it a batch slot, if its thread still waits. */
	boolean appointLeader() {
		return hasThread() && wakeAfter(change(State.WAITING, State.LEADS));
	}

	/**
	 * Put it into a batch, if it still waits. There is no reason yet to wake its owner.
	 */
	boolean joinBatch() {
		return change(State.WAITING, State.SENT);
	}

	/** Its owner has sent the batch, and another thread will read. */
	void sent() {
		boolean ignored = change(State.LEADS, State.SENT);
	}

	/** Make its owner read for all, if the owner is there and has not left. */
	boolean appointReader() {
		return hasThread() && wakeAfter(change(State.SENT, State.READS));
	}

	/**
	 * Hand the exchange to its owner, if the owner has not left. The caller has to wake
	 * the owner then. Not to be called while another thread calls {@link #sent()}: both
	 * belong to the one that has the batch.
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

	/** Wake its owner, or run its completion if it has ended. */
	void wake() {
		if (hasOwner() || hasEnded()) {
			complete();
		}
	}

	/**
	 * Wake its owner, or run its completion. Called once all is set that it needs, by the
	 * thread that has made it end or leave.
	 */
	void complete() {
		if (this.owner != null) {
			if (this.owner != Thread.currentThread()) {
				LockSupport.unpark(this.owner);
			}
			return;
		}
		Consumer<WaitingRequest> once = this.completion.getAndSet(null);
		if (once != null) {
			try {
				once.accept(this);
			}
			catch (Throwable ex) {
				// The thread has work to do for other requests.
				this.calls.node().logger().warn("The completion of a request failed", ex);
			}
		}
	}

	/**
	 * Wait for a state change by another thread. Called by its owner.
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
	 * Leave, if no other thread has changed the state. Called by its owner, or by the
	 * thread that reads for it. Where there is no owner, any number of threads may try,
	 * and the one that succeeds has to {@linkplain #complete() complete} it.
	 * @param from the state as the caller knows it
	 * @param failure why it leaves
	 * @return whether it has left
	 */
	boolean leave(State from, StoreFailure failure) {
		if (hasOwner()) {
			this.calls.timedOut(failure, from != State.WAITING);
			return change(from, State.LEFT);
		}
		boolean left = change(from, State.LEFT);
		if (left) {
			this.calls.timedOut(failure, from != State.WAITING);
		}
		return left;
	}

}
