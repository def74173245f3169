package dev.ratelimit.store.wire;

import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

import dev.ratelimit.store.Fate;
import dev.ratelimit.store.StoreFailure;
import org.jspecify.annotations.Nullable;

/**
 * The calls that one request sends to one node in one round, and their replies. A
 * {@link Lane} sends them and stores the replies here, but the request leaves when its
 * own time is over. The state decides which of the two came first, so each reply is
 * either delivered to the request or handled as a late one.
 * <p>
 * Its owner is a thread that waits, and may itself send and read. One without an owner
 * has a completion to run instead, and the timer of the node ends it. Tested by
 * {@code ExchangeTests}.
 */
final class Exchange implements NodeCall.Receiver {

	/** The progress of the exchange, which decides which thread may act on it. */
	enum State {

		/** It was not sent. */
		WAITING,

		/** It was sent, and another thread reads. */
		SENT,

		/** It was sent, and its owner reads for all. */
		READS,

		/** No more replies will come: those that came are delivered. */
		ENDED,

		/** Its request waits no more, and replies from now on are late. */
		LEFT

	}

	/**
	 * A batch with this many bytes takes no more requests. So it never has twice as much,
	 * which fits into the send buffer: writing it never waits for a server that does not
	 * read.
	 */
	static final int MOST_BYTES = 64 * 1024;

	private static final AtomicReferenceFieldUpdater<Exchange, State> STATE = AtomicReferenceFieldUpdater
		.newUpdater(Exchange.class, State.class, "state");

	/** The group of all virtual threads, as the JDK specifies since they exist. */
	private static final String VIRTUAL_THREADS = "VirtualThreads";

	private final Node node;

	private final CallTime time;

	private final FailureListener listener;

	/** The thread that waits; {@code null} if there is a completion. */
	private final @Nullable Thread owner;

	private final @Nullable Runnable completion;

	private List<NodeCall> calls = List.of();

	private int bytes;

	private int weight;

	private int replies;

	private boolean woken;

	private volatile State state = State.WAITING;

	/** Whether its owner waits for this exchange and not for another one. */
	private volatile boolean attended;

	private @Nullable Connection connection;

	private volatile boolean written;

	private long deadline;

	/** What its owner does if it is to read. */
	private @Nullable Consumer<Exchange> reading;

	private StoreFailure failure = StoreFailure.ERROR;

	private @Nullable Throwable broken;

	/**
	 * Create an exchange of the current thread, or of none.
	 * @param node the node
	 * @param time how long it may take
	 * @param listener receives the reason if it fails
	 * @param completion run once when it has ended or left, on any thread: must not wait.
	 * Without one, the current thread waits
	 */
	Exchange(Node node, CallTime time, FailureListener listener, @Nullable Runnable completion) {
		this.node = node;
		this.time = time;
		this.listener = listener;
		this.completion = completion;
		this.owner = (completion != null) ? null : Thread.currentThread();
	}

	/**
	 * Create the exchange of a call that undoes another one. No request waits for it.
	 */
	static Exchange ofUndo(Node node, NodeCall call) {
		Exchange undo = new Exchange(node, new CallTime(Duration.ZERO), (place, failure, cause) -> {
		}, () -> {
		});
		undo.add(call);
		// It does not wait for room, and takes none.
		undo.weight = 1;
		undo.state = State.LEFT;
		return undo;
	}

	Node node() {
		return this.node;
	}

	/** Its calls, with their replies. */
	List<NodeCall> calls() {
		return this.calls;
	}

	void add(NodeCall call) {
		call.begin(this);
		if (this.calls.isEmpty()) {
			this.calls = List.of(call);
		}
		else {
			this.calls = (this.calls.size() == 1) ? new ArrayList<>(this.calls) : this.calls;
			this.calls.add(call);
		}
		this.bytes += call.bytes();
		this.weight += call.weight();
	}

	/** The number of bytes to write; may be slightly high. */
	int bytes() {
		return this.bytes;
	}

	/** Whether the server may have to read before all of it can be written. */
	boolean isLarge() {
		return this.bytes > MOST_BYTES;
	}

	/** How much work the calls are for the server. */
	int weight() {
		return this.weight;
	}

	/** Whether that is more than so many usual calls are. */
	boolean isCostly() {
		return this.weight > this.calls.size();
	}

	State state() {
		return this.state;
	}

	boolean hasEnded() {
		return this.state == State.ENDED;
	}

	boolean hasLeft() {
		return this.state == State.LEFT;
	}

	/** Whether its request waits for a turn or a reply, and no more than that. */
	boolean isUnderWay() {
		State now = this.state;
		return now == State.WAITING || now == State.SENT;
	}

	private boolean change(State from, State to) {
		return STATE.compareAndSet(this, from, to);
	}

	/** Its owner waits for this exchange from now on. */
	void attend() {
		this.attended = true;
	}

	/**
	 * Whether its thread can send. A virtual thread may get no processor for a long time
	 * after it has waited, and an interrupt would close the connection that it uses.
	 */
	boolean maySend() {
		return this.owner != null && !isVirtual(this.owner);
	}

	/** Whether its thread is there, and can read. */
	boolean mayRead() {
		return this.attended && maySend();
	}

	private static boolean isVirtual(Thread thread) {
		ThreadGroup group = thread.getThreadGroup();
		return group != null && VIRTUAL_THREADS.equals(group.getName());
	}

	/** Put it into a batch, if it still waits. */
	boolean send() {
		return change(State.WAITING, State.SENT);
	}

	/** It is about to be written, and its deadline begins. */
	void written(Connection to) {
		this.connection = to;
		this.deadline = this.time.forReply(this.node.isSilent());
		this.written = true;
	}

	/**
	 * Make its owner read for all, if the owner is there and neither leaves nor has left.
	 * @param read what the owner does
	 */
	boolean appointReader(Consumer<Exchange> read) {
		if (!mayRead() || !this.time.allowsWait() || isAnswered() || this.state != State.SENT
				|| Objects.requireNonNull(this.owner).isInterrupted()) {
			return false;
		}
		this.reading = read;
		boolean appointed = change(State.SENT, State.READS);
		if (appointed) {
			LockSupport.unpark(this.owner);
		}
		return appointed;
	}

	/** Its owner has sent it, and reads. */
	void startReading() {
		boolean ignored = change(State.SENT, State.READS);
	}

	/** Read, if it is appointed. Called by its owner. */
	void readIfAppointed() {
		if (this.state == State.READS) {
			Objects.requireNonNull(this.reading).accept(this);
		}
	}

	/** The time left for the reply, for the thread that reads; zero if it is over. */
	long leftNanos() {
		return Math.max(0, this.deadline - Deadline.nowNanos());
	}

	/**
	 * How long its owner waits before it checks whether to leave. State changes by other
	 * threads wake the owner earlier, but the write does not.
	 */
	long nextCheckNanos() {
		return this.written ? this.time.nextCheckNanos(this.deadline) : this.time.nextCheckNanos();
	}

	/**
	 * Whether its request should stop waiting: either it was not written while it could
	 * still get a turn, or nothing has arrived by its deadline. Bytes that have arrived
	 * only need a thread that reads them.
	 */
	boolean isLate() {
		if (!this.written) {
			return this.time.isOver(this.node.isSilent());
		}
		return this.deadline - Deadline.nowNanos() <= 0 && (!isArriving() || this.time.isFarBeyond(this.deadline));
	}

	/** Whether replies have arrived that only need one of our threads. */
	private boolean isArriving() {
		Connection from = Objects.requireNonNull(this.connection);
		// In this order, as the reader may take the input meanwhile. A silent node may
		// send no more than a part of a reply.
		return from.hasArrived() || (from.hasTaken() && !this.node.isSilent());
	}

	/** Why its request stops waiting. */
	StoreFailure whyLate() {
		if (!this.written) {
			return this.node.noneInTime().failure();
		}
		return (!isArriving() || this.node.isSilent()) ? StoreFailure.TIMEOUT : StoreFailure.OVERLOADED;
	}

	/**
	 * Wait for a state change by another thread. Called by its owner.
	 * @param from the state in which to wait
	 * @param nanos how long
	 * @return whether it is still the same, as the time is over or the thread was
	 * interrupted
	 */
	boolean await(State from, long nanos) {
		long end = Deadline.nowNanos() + nanos;
		long left = nanos;
		while (this.state == from && left > 0 && !Thread.currentThread().isInterrupted()) {
			LockSupport.parkNanos(this, left);
			left = end - Deadline.nowNanos();
		}
		return this.state == from;
	}

	/**
	 * Leave, if no other thread has changed the state. The one that succeeds sets the
	 * outcome.
	 * @param from the state as the caller knows it
	 * @param why why it leaves
	 * @return whether it has left
	 */
	boolean leave(State from, StoreFailure why) {
		if (!change(from, State.LEFT)) {
			return false;
		}
		try {
			if (from == State.WAITING) {
				failed(why);
				this.listener.failed(this.node, why,
						new NoConnectionException(why, "no connection was free in time", null));
			}
			else {
				leftSent(why);
			}
		}
		finally {
			complete();
		}
		return true;
	}

	private void leftSent(StoreFailure why) {
		this.calls.forEach((call) -> call.failed(why, Fate.AWAITED));
		boolean unread = this.written && Objects.requireNonNull(this.connection).endWrite(this);
		if (why == StoreFailure.TIMEOUT && this.time.allowsWait()) {
			this.node.notAnswered();
		}
		this.listener.failed(this.node, why,
				new SocketTimeoutException(unread ? "Not all of it was taken in time" : "Nothing more came in time"));
	}

	/**
	 * Fail before anything was sent, if it still waits.
	 * @param cause why
	 */
	void refuse(NoConnectionException cause) {
		if (change(State.WAITING, State.LEFT)) {
			try {
				failed(cause.failure());
				this.listener.failed(this.node, cause.failure(), Objects.requireNonNullElse(cause.getCause(), cause));
			}
			finally {
				complete();
			}
		}
	}

	/** End all calls, none of which was taken. */
	void failed(StoreFailure why) {
		this.calls.forEach((call) -> call.failed(why, Fate.NOT_TAKEN));
	}

	/** Whether all replies have arrived. */
	boolean isAnswered() {
		return this.replies == this.calls.size();
	}

	@Override
	public void received(NodeCall call, Object reply, List<NodeCall> toUndo) {
		call.received(reply);
		this.replies++;
		if (isAnswered() && !end()) {
			repliedLate(toUndo);
		}
	}

	private boolean end() {
		return change(State.SENT, State.ENDED) || change(State.READS, State.ENDED);
	}

	private void repliedLate(List<NodeCall> toUndo) {
		for (NodeCall call : this.calls) {
			Object reply = call.reply();
			if (reply != null) {
				call.repliedLate(reply).ifPresent(toUndo::add);
			}
		}
	}

	/**
	 * End the exchange, unless it has ended: no more replies will come.
	 * @param why the kind of failure
	 * @param cause what was thrown
	 */
	void breakOff(StoreFailure why, Throwable cause) {
		if (!isAnswered()) {
			this.failure = why;
			this.broken = cause;
			boolean ignored = end();
		}
	}

	/**
	 * Handle its replies if its request has left, and no more will come.
	 * @param toUndo receives the calls that undo others
	 */
	void endLate(List<NodeCall> toUndo) {
		if (hasLeft() && !isAnswered()) {
			repliedLate(toUndo);
			unanswered().forEach((call) -> call.afterwards().lost());
		}
	}

	private List<NodeCall> unanswered() {
		return this.calls.stream().filter((call) -> call.reply() == null).toList();
	}

	/** Complete it if it has ended. Called by the thread that has its lane. */
	void wakeIfEnded() {
		if (!this.woken && hasEnded()) {
			this.woken = true;
			complete();
		}
	}

	/**
	 * Wake its owner, or run its completion. Called once all is set that it needs, by the
	 * thread that has made it end or leave.
	 */
	private void complete() {
		if (this.completion != null) {
			try {
				this.completion.run();
			}
			catch (Throwable ex) {
				// The thread has work to do for other requests.
				this.node.logger().warn("The completion of a request failed", ex);
			}
		}
		else if (this.owner != Thread.currentThread()) {
			LockSupport.unpark(this.owner);
		}
	}

	/**
	 * Deliver the replies to the request. Called by its thread, or by the one that runs
	 * its completion.
	 * @return the calls to which the node replied an error
	 */
	List<NodeCall> deliver() {
		List<NodeCall> errors = List.of();
		for (int i = 0; i < this.calls.size(); i++) {
			NodeCall call = this.calls.get(i);
			Object reply = call.reply();
			if (reply instanceof ErrorReply) {
				errors = errors.isEmpty() ? new ArrayList<>(this.calls.size()) : errors;
				errors.add(call);
			}
			else if (reply != null) {
				call.replied(reply);
			}
		}
		if (this.broken != null) {
			unanswered().forEach((call) -> call.failed(this.failure, Fate.UNKNOWN));
			this.listener.failed(this.node, this.failure, this.broken);
		}
		return errors;
	}

	/** End the calls whose replies could not be delivered. */
	void undelivered() {
		for (NodeCall call : this.calls) {
			if (!(call.outcome() instanceof NodeCall.Replied)) {
				call.failed(StoreFailure.ERROR, Fate.UNKNOWN);
			}
		}
	}

	/** Receives the reason why calls have failed. */
	@FunctionalInterface
	interface FailureListener {

		void failed(Node node, StoreFailure failure, Throwable cause);

	}

}
