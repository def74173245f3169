package dev.ratelimit.store.wire;

import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.wire.Exchange.State;
import org.apache.commons.logging.Log;
import org.jspecify.annotations.Nullable;

/**
 * One server, the requests that wait for it, and the limiter's connections to it: its
 * {@linkplain Lane lanes}. They are opened in the background, one after the other, and
 * while the server cannot be reached with pauses between the attempts. Requests wait for
 * them, but only as long as their time allows, and only up to a maximum number of
 * requests. Tested by {@code ReconnectTests}.
 * <p>
 * A request that arrives while no batch is under way is sent at once, on its own thread.
 * Otherwise it waits: the last request to arrive that makes the waiting ones enough sends
 * a batch, and when a batch returns, the waiting requests are sent with the next one.
 * Threads are not woken one by one, which costs more than the work they are woken for.
 * <p>
 * Where batches take long, because the node is far away or a connection hangs, requests
 * do not wait for them: after five milliseconds a waiting request takes a further
 * {@linkplain BatchSlots batch slot}, while there are connections.
 */
public final class Node implements AutoCloseable {

	private final String name;

	private final Connector connector;

	private final Incarnation incarnation;

	private final BatchSlots slots;

	private final NodeQueue waiting;

	private final NodeThreads threads;

	private final LateLanes late;

	private final ScheduledExecutorService timer;

	private final Log logger;

	/** The one used last comes first, so that the others can expire. */
	private final Deque<Lane> idle = new ConcurrentLinkedDeque<>();

	private final AtomicInteger open = new AtomicInteger();

	private final AtomicBoolean opening = new AtomicBoolean();

	private final Runnable opener = this::open;

	private final CountDownLatch attempted = new CountDownLatch(1);

	private volatile @Nullable NodeOutage outage;

	private volatile boolean keepsKeysApart;

	private volatile boolean silent;

	private volatile boolean closed;

	/**
	 * Create a node without connections.
	 * @param name its host and port
	 * @param threads the start of the names of its threads
	 * @param connector opens a connection; may block
	 * @param slots when batches start; there are as many connections at most as slots
	 * @param maxWaiting how many requests wait at most, besides those that could have a
	 * connection of their own
	 * @param incarnation is notified of the first connection and of the loss of the last
	 * one
	 * @param late reads the replies that no request waits for any more
	 * @param timer ends what has taken too long
	 * @param logger receives what no request is notified of
	 */
	Node(String name, String threads, Connector connector, BatchSlots slots, int maxWaiting, Incarnation incarnation,
			LateLanes late, ScheduledExecutorService timer, Log logger) {
		this.name = name;
		this.connector = connector;
		this.incarnation = incarnation;
		this.slots = slots;
		this.waiting = new NodeQueue(slots.further() + maxWaiting, Math.max(1, slots.most() / 2));
		this.threads = new NodeThreads(threads + "io-" + name, slots.most());
		this.late = late;
		this.timer = timer;
		this.logger = logger;
	}

	/**
	 * Its address.
	 * @return its host and port, such as {@code 10.0.0.1:6379}
	 */
	public String name() {
		return this.name;
	}

	/**
	 * Open a first connection in the background, so that no request has to wait for it.
	 */
	public void openFirst() {
		if (this.open.get() == 0) {
			openAnother();
		}
	}

	/**
	 * Wait for the first connection, or the failure to open it.
	 * @param patience how long
	 * @throws InterruptedException if the wait is interrupted
	 */
	public void awaitFirst(Deadline patience) throws InterruptedException {
		boolean ignored = this.attempted.await(patience.leftNanos(), TimeUnit.NANOSECONDS);
	}

	/** From now on, no command carries calls on several keys. */
	public void keepKeysApart() {
		this.keepsKeysApart = true;
	}

	/** Whether all calls of a command must be on one key, as far as is known. */
	boolean keepsKeysApart() {
		return this.keepsKeysApart;
	}

	/** A call was answered in time. */
	void answered() {
		if (this.silent) {
			this.silent = false;
		}
	}

	/** A call was written, and no reply came until its deadline. */
	void notAnswered() {
		this.silent = true;
	}

	/**
	 * Whether the server answers no call, as far as is known. Waiting requests or late
	 * threads of this application do not count as that.
	 */
	boolean isSilent() {
		return this.silent || this.open.get() == 0;
	}

	/** The requests that wait. */
	NodeQueue waiting() {
		return this.waiting;
	}

	/** Send and read for requests that do not do so themselves. */
	NodeThreads threads() {
		return this.threads;
	}

	/** Reads the replies that no request waits for any more. */
	LateLanes late() {
		return this.late;
	}

	/** Receives what no request is notified of. */
	Log logger() {
		return this.logger;
	}

	/**
	 * Send the calls of a request, at once or together with others. Its own thread does
	 * so if it attends to it, and then it reads too. Otherwise this does not wait.
	 * @param exchange the calls
	 */
	void send(Exchange exchange) {
		if (!this.waiting.add(exchange)) {
			openAnother();
			exchange.refuse(tooMany());
		}
		else if (takeUsualSlot()) {
			serve(exchange);
		}
	}

	/**
	 * Wait until an exchange has ended or left, or read for it and for others.
	 * @param exchange the exchange of the current thread
	 */
	void await(Exchange exchange) {
		exchange.attend();
		long nanos = firstCheckNanos(exchange);
		for (State state = exchange.state(); exchange.isUnderWay(); state = exchange.state()) {
			if (exchange.await(state, nanos)) {
				goOrLeave(exchange, state);
			}
			nanos = exchange.nextCheckNanos();
		}
		exchange.readIfAppointed();
	}

	private long firstCheckNanos(Exchange exchange) {
		return Math.min(this.slots.patienceNanos(), exchange.nextCheckNanos());
	}

	/**
	 * Send an exchange without an owner.
	 * @param exchange the exchange, whose completion runs when it has ended or left
	 */
	void start(Exchange exchange) {
		send(exchange);
		if (exchange.isUnderWay()) {
			checkAgain(exchange, firstCheckNanos(exchange));
		}
	}

	private void checkAgain(Exchange exchange, long nanos) {
		Future<?> ignored = this.timer.schedule(() -> check(exchange), nanos, TimeUnit.NANOSECONDS);
		State state = exchange.state();
		if (this.timer.isShutdown() && exchange.isUnderWay()) {
			// The task may have been dropped.
			leave(exchange, state, StoreFailure.TIMEOUT);
		}
	}

	/** What the thread of a request does when it wakes by itself. */
	private void check(Exchange exchange) {
		try {
			State state = exchange.state();
			if (exchange.isUnderWay()) {
				goOrLeave(exchange, state);
			}
		}
		finally {
			if (exchange.isUnderWay()) {
				checkAgain(exchange, exchange.nextCheckNanos());
			}
		}
	}

	/**
	 * Take a further batch slot, or leave. A request whose thread woke late is still sent
	 * if it can be.
	 */
	private void goOrLeave(Exchange exchange, State state) {
		boolean interrupted = Thread.currentThread().isInterrupted();
		if (state == State.WAITING && !interrupted && !(isSilent() && exchange.isLate()) && this.slots.takeAny()) {
			serve(exchange);
		}
		if (interrupted || exchange.isLate()) {
			leave(exchange, state, (interrupted && !isSilent()) ? StoreFailure.OVERLOADED : exchange.whyLate());
		}
	}

	private void leave(Exchange exchange, State state, StoreFailure why) {
		if (exchange.leave(state, why) && state == State.WAITING) {
			this.waiting.remove(exchange);
		}
	}

	/**
	 * Use a batch slot that was taken: on the thread of a request that attends, or on one
	 * of the node.
	 */
	private void serve(@Nullable Exchange leader) {
		Lane lane = takeIdle();
		if (lane == null) {
			this.slots.free();
			openAnother();
			if (!this.idle.isEmpty()) {
				// It has come meanwhile, when the slot was not free.
				serveWaiting(false);
			}
		}
		else if (leader != null && leader.maySend() && !leader.isLarge()) {
			lane.withSlot().lead(leader);
		}
		else if (!this.threads.run(lane.withSlot())) {
			// The owners of the requests, or the timer, try again.
			this.slots.free();
			keep(lane);
		}
	}

	/** Whether there are enough requests that wait, and a usual slot, which is taken. */
	boolean takeUsualSlot() {
		return this.slots.takeUsual(this.waiting.count());
	}

	/** Whether the slot of a lane should wait for more requests. */
	boolean isSlotSpare() {
		return this.slots.isSpare(this.waiting.count());
	}

	/** A slot is no longer in use. Those that wait may need it. */
	void freeSlot() {
		this.slots.free();
		serveWaiting(false);
	}

	private void serveWaiting(boolean impatient) {
		try {
			if (this.waiting.isReady() && (impatient ? this.slots.takeAny() : takeUsualSlot())) {
				serve(null);
			}
		}
		catch (Throwable ex) {
			// There may be no memory. Those that wait try again.
			this.logger.debug("No request to " + this + " was sent", ex);
		}
	}

	/** The next batch, as {@link NodeQueue#take} makes it. */
	List<Exchange> take(boolean mayBlock) {
		List<Exchange> batch = this.waiting.take(mayBlock);
		if (!batch.isEmpty()) {
			this.slots.carries(batch.size());
		}
		return batch;
	}

	/**
	 * The failure of a request that found no free connection for as long as it may wait.
	 */
	NoConnectionException noneInTime() {
		if (this.open.get() == 0) {
			return new NoConnectionException(StoreFailure.TIMEOUT, "no connection was opened in time", null);
		}
		return new NoConnectionException(whyNone(), "all connections stay in use", null);
	}

	private NoConnectionException tooMany() {
		return new NoConnectionException(whyNone(), "too many requests wait for a connection", null);
	}

	/**
	 * What a wait for our own connections means: if the server answers, it is not the
	 * server's fault.
	 */
	private StoreFailure whyNone() {
		return isSilent() ? StoreFailure.EXHAUSTED : StoreFailure.OVERLOADED;
	}

	/** An idle lane, if there is one. It has to be released or discarded. */
	@Nullable Lane takeIdle() {
		Lane found = this.idle.pollFirst();
		if (found != null && found.isExpired()) {
			// So are those behind it.
			close(found);
			closeIdle();
			return null;
		}
		return found;
	}

	/**
	 * Release a lane whose replies were all read.
	 * @param lane the lane
	 * @param slot whether it has had a batch slot; one without is new or was late, and
	 * those that wait have waited too long
	 */
	void release(Lane lane, boolean slot) {
		if (slot) {
			this.slots.free();
		}
		lane.rests();
		keep(lane);
		closeOldest();
		serveWaiting(!slot);
	}

	private void keep(Lane lane) {
		try {
			this.idle.addFirst(lane);
		}
		catch (Throwable ex) {
			// There may be no memory. A connection that is lost while it counts as open
			// would never be replaced.
			close(lane);
		}
		if (this.closed) {
			closeIdle();
		}
	}

	private void closeOldest() {
		Lane oldest = this.idle.peekLast();
		if (oldest != null && oldest.isExpired() && this.idle.remove(oldest)) {
			close(oldest);
		}
	}

	/**
	 * Close a connection that failed. If the server has closed it, the idle connections
	 * are closed as well: after a restart of the server, each of them would fail one
	 * request.
	 * @param lane the lane
	 * @param failure how it failed
	 */
	void discard(Lane lane, StoreFailure failure) {
		close(lane);
		if (failure == StoreFailure.UNREACHABLE) {
			closeIdle();
		}
		if (this.waiting.count() > 0) {
			openAnother();
		}
	}

	private void close(Lane lane) {
		lane.connection().close();
		if (this.open.decrementAndGet() == 0) {
			this.incarnation.ended();
		}
	}

	private void closeIdle() {
		for (Lane next = this.idle.pollFirst(); next != null; next = this.idle.pollFirst()) {
			close(next);
		}
	}

	/**
	 * Open another connection, unless as many are open as may be, or one is being opened.
	 * Those that wait fail if there is none to wait for.
	 */
	void openAnother() {
		NodeOutage last = this.outage;
		if (this.closed) {
			refuseAll(new NoConnectionException(StoreFailure.UNREACHABLE, "the server is no longer in use", null));
		}
		else if (last != null && last.isPausing()) {
			refuseAllWithout(last.cause());
		}
		else if (this.open.get() < this.slots.most() && this.opening.compareAndSet(false, true)
				&& !this.threads.run(this.opener)) {
			failedToOpen(new OutOfMemoryError("There is no thread that connects"));
		}
	}

	private void open() {
		try {
			Lane lane = new Lane(this, connect());
			this.outage = null;
			this.opening.set(false);
			this.attempted.countDown();
			release(lane, false);
		}
		catch (Throwable ex) {
			// Even after an Error, the failed attempt must no longer count as opening.
			failedToOpen(ex);
		}
	}

	private Connection connect() throws NoConnectionException {
		Connection connection = this.connector.connect(this.name);
		if (this.open.getAndIncrement() > 0) {
			return connection;
		}
		try {
			this.incarnation.began(connection);
			return connection;
		}
		catch (Throwable ex) {
			this.open.decrementAndGet();
			connection.close();
			throw ex;
		}
	}

	private void failedToOpen(Throwable cause) {
		this.outage = NodeOutage.after(this.outage, cause);
		this.opening.set(false);
		this.attempted.countDown();
		refuseAllWithout(cause);
	}

	private void refuseAllWithout(Throwable cause) {
		if (this.open.get() == 0) {
			refuseAll(new NoConnectionException(IoFailure.of(cause), "the server was not reached", cause));
		}
	}

	private void refuseAll(NoConnectionException cause) {
		for (Exchange next = this.waiting.poll(); next != null; next = this.waiting.poll()) {
			next.refuse(cause);
		}
	}

	@Override
	public void close() {
		this.closed = true;
		this.threads.close();
		closeIdle();
		openAnother();
	}

	@Override
	public String toString() {
		return this.name;
	}

}
