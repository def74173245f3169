package dev.ratelimit.store.wire;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;

import dev.ratelimit.store.Fate;
import dev.ratelimit.store.StoreFailure;
import org.apache.commons.logging.Log;

/**
 * Runs calls over pooled connections of the limiter's own. This is the way of a call:
 *
 * <ol>
 * <li>The {@link Router} names the node of its key. The calls of a request to one node
 * are {@link NodeCalls}.
 * <li>The {@link RequestBatcher} of the node puts them into a {@link PipelinedBatch},
 * together with those of the requests that wait as well. Calls to several nodes, and
 * large ones, have connections of their own ({@link LoneBatch}).
 * <li>The batch combines calls into {@linkplain Command commands}, writes all of them,
 * and reads the replies. Those that come too late go to the {@link LateReplyReader}.
 * <li>The thread of the request, or the one that runs its completion, delivers the
 * replies to the calls. After an error that allows it, a call is sent in another round.
 * </ol>
 *
 * A call whose request or reply was lost is not sent again.
 */
public final class RoutedCallRunner implements CallRunner {

	private static final int MAX_ROUNDS = 6;

	private static final Comparator<NodeCalls> SAME_ORDER_FOR_ALL = Comparator
		.comparing((calls) -> calls.node().name());

	private final String description;

	private final Supplier<? extends Router> routers;

	private volatile Router router;

	private final FailureLog failureLog;

	private final NodeCalls.FailureListener listener = this::failed;

	/**
	 * Create a runner.
	 * @param description the name of the place, without credentials
	 * @param routers creates a router, at once and whenever the runner is restarted. It
	 * finds the node of each key, and is closed with the runner
	 * @param logger receives every failure at DEBUG
	 */
	public RoutedCallRunner(String description, Supplier<? extends Router> routers, Log logger) {
		this.description = description;
		this.routers = routers;
		this.router = routers.get();
		this.failureLog = new FailureLog(logger);
	}

	@Override
	public void run(List<? extends NodeCall> calls, Duration maxWait) {
		CallTime time = new CallTime(maxWait);
		boolean mayWait = !maxWait.isZero();
		List<NodeCalls> again = exchange(route(calls), time, mayWait);
		for (int round = 1; round < MAX_ROUNDS && !again.isEmpty() && mayWait; round++) {
			time = time.rest();
			again = exchange(byNode(again), time, true);
		}
		for (int i = 0; i < again.size(); i++) {
			again.get(i).failed(mayWait ? StoreFailure.UNAVAILABLE : StoreFailure.TIMEOUT);
		}
	}

	@Override
	public void start(List<? extends NodeCall> calls, Duration maxWait, Runnable completion) {
		startRound(route(calls), new CallTime(maxWait), 1, completion);
	}

	private void startRound(List<NodeCalls> exchanges, CallTime time, int round, Runnable completion) {
		if (exchanges.isEmpty()) {
			completion.run();
			return;
		}
		Queue<NodeCalls> again = new ConcurrentLinkedQueue<>();
		AtomicInteger open = new AtomicInteger(exchanges.size());
		for (NodeCalls exchange : exchanges) {
			startExchange(exchange, time, (errors) -> {
				again.addAll(errors);
				if (open.decrementAndGet() == 0) {
					endRound(again, time, round, completion);
				}
			});
		}
	}

	private void startExchange(NodeCalls exchange, CallTime time, Consumer<List<NodeCalls>> ended) {
		Node node = exchange.node();
		if (!exchange.isLarge() && !exchange.isCostly()) {
			node.batcher()
				.start(exchange, time,
						(answered) -> ended.accept(answered ? orFail(exchange, () -> deliver(exchange)) : List.of()));
		}
		else if (!node.threads()
			.run(() -> ended
				.accept(orFail(exchange, () -> exchange(new ArrayList<>(List.of(exchange)), time, true))))) {
			exchange.notSent(node.tooMany());
			ended.accept(List.of());
		}
	}

	/** Whatever happens, the completion has to run. */
	private List<NodeCalls> orFail(NodeCalls calls, Supplier<List<NodeCalls>> step) {
		try {
			return step.get();
		}
		catch (Throwable ex) {
			calls.breakOff(StoreFailure.ERROR, ex);
			calls.deliver();
			return List.of();
		}
	}

	private void endRound(Collection<NodeCalls> again, CallTime time, int round, Runnable completion) {
		if (again.isEmpty() || round == MAX_ROUNDS) {
			again.forEach((calls) -> calls.failed(StoreFailure.UNAVAILABLE));
			completion.run();
		}
		else {
			startRound(byNode(again), time.rest(), round + 1, completion);
		}
	}

	/** Join the calls that replies of different nodes have sent to the same one. */
	private List<NodeCalls> byNode(Collection<NodeCalls> again) {
		List<NodeCalls> exchanges = new ArrayList<>(again.size());
		again.forEach((calls) -> calls.calls().forEach((call) -> add(call, calls.node(), exchanges)));
		return exchanges;
	}

	/** A call without a node fails. */
	private List<NodeCalls> route(List<? extends NodeCall> calls) {
		List<NodeCalls> exchanges = new ArrayList<>(calls.size());
		for (int i = 0; i < calls.size(); i++) {
			NodeCall call = calls.get(i);
			Node node = this.router.nodeFor(call::key);
			if (node != null) {
				add(call, node, exchanges);
			}
			else {
				failedWithoutNode(call);
			}
		}
		return exchanges;
	}

	private void add(NodeCall call, Node node, List<NodeCalls> exchanges) {
		for (int i = 0; i < exchanges.size(); i++) {
			if (exchanges.get(i).node() == node) {
				exchanges.get(i).add(call);
				return;
			}
		}
		NodeCalls calls = new NodeCalls(node, this.listener);
		calls.add(call);
		exchanges.add(calls);
	}

	private void failedWithoutNode(NodeCall call) {
		NoConnectionException cause = this.router.failure()
			.orElseGet(() -> new NoConnectionException(StoreFailure.UNREACHABLE, "no node is known that serves the key",
					null));
		call.failed(cause.failure(), Fate.NOT_TAKEN);
		this.failureLog.report(cause.failure(), this.description, cause);
		this.router.suspect();
	}

	private List<NodeCalls> exchange(List<NodeCalls> exchanges, CallTime time, boolean mayWait) {
		for (int i = 0; i < exchanges.size(); i++) {
			if (exchanges.get(i).isCostly()) {
				return exchangeCostly(exchanges, time, mayWait);
			}
		}
		return send(exchanges, time, mayWait);
	}

	/**
	 * Costly calls wait here: at the node, all its other clients would wait for them. A
	 * node without room delays no calls to the others, as without a connection.
	 */
	private List<NodeCalls> exchangeCostly(List<NodeCalls> exchanges, CallTime time, boolean mayWait) {
		List<NodeCalls> begun = new ArrayList<>(exchanges.size());
		List<NodeCalls> waiting = new ArrayList<>(0);
		for (NodeCalls calls : exchanges) {
			(calls.node().costlyCalls().tryAcquire(calls.costlyWeight()) ? begun : waiting).add(calls);
		}
		List<NodeCalls> again = new ArrayList<>(begun.isEmpty() ? List.of() : sendBegun(begun, time, mayWait));
		for (NodeCalls calls : waiting) {
			if (begin(calls.node().costlyCalls(), calls.costlyWeight(), calls, time)) {
				again.addAll(sendBegun(new ArrayList<>(List.of(calls)), time, mayWait));
			}
		}
		return again;
	}

	private List<NodeCalls> sendBegun(List<NodeCalls> begun, CallTime time, boolean mayWait) {
		try {
			return send(begun, time, mayWait);
		}
		finally {
			begun.forEach((calls) -> calls.node().costlyCalls().release(calls.costlyWeight()));
		}
	}

	private List<NodeCalls> send(List<NodeCalls> exchanges, CallTime time, boolean mayWait) {
		if (mayWait && exchanges.size() == 1) {
			NodeCalls one = exchanges.get(0);
			if (one.isLarge()) {
				return runLarge(one, exchanges, time);
			}
			return one.node().batcher().run(one, time) ? deliver(one) : List.of();
		}
		return runAlone(exchanges, time);
	}

	/** A part of the connections is reserved for other requests. */
	private List<NodeCalls> runLarge(NodeCalls large, List<NodeCalls> alone, CallTime time) {
		Semaphore writes = large.node().largeWrites();
		if (!begin(writes, 1, large, time)) {
			return List.of();
		}
		try {
			return runAlone(alone, time);
		}
		finally {
			writes.release();
		}
	}

	/**
	 * Whether there is room for calls in time; else they have failed. Where the server
	 * does not answer, those that have room end at their deadline, and make room.
	 */
	private static boolean begin(Semaphore room, int permits, NodeCalls calls, CallTime time) {
		try {
			// One wait, as another one would begin at the end of the queue.
			if (room.tryAcquire(permits, time.turnNanos(), TimeUnit.NANOSECONDS)) {
				return true;
			}
			calls.notSent(calls.node().noneInTime());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			calls.notSent(StoreFailure.OVERLOADED, ex);
		}
		return false;
	}

	/**
	 * A node without a free connection does not delay the others. Its calls are sent
	 * last, when the connections to the other nodes are free again, so no request holds a
	 * connection that another one waits for.
	 */
	private List<NodeCalls> runAlone(List<NodeCalls> exchanges, CallTime time) {
		if (exchanges.size() > 1) {
			// All requests take connections in the same order; otherwise two could
			// deadlock.
			exchanges.sort(SAME_ORDER_FOR_ALL);
		}
		List<NodeCalls> again = new ArrayList<>(0);
		List<LoneBatch> batches = new ArrayList<>(exchanges.size());
		List<LoneBatch> waiting = new ArrayList<>(0);
		try {
			for (NodeCalls calls : exchanges) {
				LoneBatch batch = new LoneBatch(calls, time);
				(batch.sendAtOnce() ? batches : waiting).add(batch);
			}
		}
		finally {
			read(batches, 0, again);
		}
		try {
			waiting.forEach(LoneBatch::send);
		}
		finally {
			read(waiting, 0, again);
		}
		return again;
	}

	/**
	 * Whatever is thrown, all that were sent are read: each has a connection to release.
	 */
	private void read(List<LoneBatch> batches, int index, List<NodeCalls> again) {
		if (index == batches.size()) {
			return;
		}
		try {
			LoneBatch batch = batches.get(index);
			if (batch.read()) {
				again.addAll(deliver(batch.calls()));
			}
		}
		finally {
			read(batches, index + 1, again);
		}
	}

	/** Deliver the replies and return the calls to send once more. */
	private List<NodeCalls> deliver(NodeCalls calls) {
		List<NodeCall> errors = calls.deliver();
		if (errors.isEmpty()) {
			return List.of();
		}
		List<NodeCalls> again = new ArrayList<>(1);
		errors.forEach((call) -> retry(call, calls.node(), again));
		return again;
	}

	private void retry(NodeCall call, Node node, List<NodeCalls> again) {
		if (!(call.reply() instanceof ErrorReply error)) {
			return;
		}
		if (error.keysApart()) {
			node.keepKeysApart();
		}
		String address = call.retry(error, node.name());
		if (address == null) {
			call.failed(error.failure(), error.mayHaveRun() ? Fate.UNKNOWN : Fate.NOT_TAKEN);
			failed(node, error.failure(), error.cause());
		}
		else if (address.equals(node.name())) {
			add(call, node, again);
		}
		else {
			this.router.suspect();
			add(call, this.router.nodeAt(address), again);
		}
	}

	private void failed(Node node, StoreFailure failure, Throwable cause) {
		if (failure == StoreFailure.OVERLOADED) {
			// The node answers; our own requests are waiting for each other.
			return;
		}
		this.failureLog.report(failure, node, cause);
		// Where connections stay in use because a node answers no request, another node
		// may be master by now.
		if (failure != StoreFailure.NOT_PERMITTED) {
			this.router.suspect();
		}
	}

	@Override
	public String shard(Supplier<byte[]> key) {
		Node node = this.router.nodeFor(key);
		return (node != null) ? node.name() : this.description;
	}

	@Override
	public Optional<String> lastFailure() {
		return this.failureLog.last();
	}

	@Override
	public long incarnation() {
		return this.router.incarnation();
	}

	@Override
	public String describe() {
		return this.description;
	}

	@Override
	public void restart() {
		this.router = this.routers.get();
	}

	@Override
	public void close() {
		this.router.close();
	}

}
