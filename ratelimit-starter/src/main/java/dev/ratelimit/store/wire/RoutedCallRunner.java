package dev.ratelimit.store.wire;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import dev.ratelimit.store.Fate;
import dev.ratelimit.store.StoreFailure;
import org.apache.commons.logging.Log;
import org.jspecify.annotations.Nullable;

/**
 * Runs calls over pooled connections of the limiter's own. This is the way of a call:
 *
 * <ol>
 * <li>The {@link Router} names the node of its key. The calls of a request to one node
 * are {@link NodeCalls}.
 * <li>The {@link RequestBatcher} of the node puts them into a {@link PipelinedBatch},
 * together with those of the requests that wait as well. Large calls have connections of
 * their own ({@link LoneBatch}).
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
		round(1, route(calls), new CallTime(maxWait), null);
	}

	@Override
	public void start(List<? extends NodeCall> calls, Duration maxWait, Runnable completion) {
		round(1, route(calls), new CallTime(maxWait), completion);
	}

	/** Without a completion, the current thread waits, and sends and reads meanwhile. */
	private void round(int number, List<NodeCalls> exchanges, CallTime time, @Nullable Runnable completion) {
		if (completion == null) {
			exchange(exchanges, time);
			endRound(number, exchanges, time, null);
		}
		else {
			start(exchanges, time, () -> endRound(number, exchanges, time, completion));
		}
	}

	private void endRound(int number, List<NodeCalls> exchanges, CallTime time, @Nullable Runnable completion) {
		List<NodeCalls> again = deliver(exchanges);
		if (!again.isEmpty() && number < MAX_ROUNDS) {
			round(number + 1, again, time.rest(), completion);
			return;
		}
		again.forEach((calls) -> calls.failed(StoreFailure.UNAVAILABLE));
		if (completion != null) {
			completion.run();
		}
	}

	private void start(List<NodeCalls> exchanges, CallTime time, Runnable completion) {
		AtomicInteger open = new AtomicInteger(exchanges.size() + 1);
		Runnable ended = () -> {
			if (open.decrementAndGet() == 0) {
				completion.run();
			}
		};
		exchanges.forEach((calls) -> start(calls, time, ended));
		ended.run();
	}

	private void start(NodeCalls calls, CallTime time, Runnable ended) {
		Node node = calls.node();
		if (!calls.isLarge() && !calls.isCostly()) {
			node.batcher().start(calls, time, (answered) -> {
				calls.end(answered);
				ended.run();
			});
		}
		else if (!node.threads().run(() -> exchange(calls, time, ended))) {
			calls.notSent(node.tooMany());
			ended.run();
		}
	}

	private void exchange(NodeCalls calls, CallTime time, Runnable ended) {
		try {
			exchange(calls, time);
		}
		catch (Throwable ex) {
			undelivered(calls, ex);
		}
		finally {
			ended.run();
		}
	}

	private void exchange(List<NodeCalls> exchanges, CallTime time) {
		if (exchanges.size() == 1) {
			exchange(exchanges.get(0), time);
		}
		else {
			exchangeTogether(exchanges, time);
		}
	}

	private void exchange(NodeCalls calls, CallTime time) {
		Node node = calls.node();
		int weight = calls.costlyWeight();
		// Passing those that wait saves waking a thread for each call.
		if (weight > 0 && !node.costlyCalls().tryAcquire(weight) && !begin(node.costlyCalls(), weight, calls, time)) {
			return;
		}
		try {
			calls.end(calls.isLarge() ? runLarge(calls, time) : node.batcher().run(calls, time));
		}
		finally {
			if (weight > 0) {
				node.costlyCalls().release(weight);
			}
		}
	}

	/**
	 * A node that is slow or has no room delays no calls to the others. So the current
	 * thread waits for nothing until all are under way: threads of the nodes send what
	 * may have to wait before it can be sent. Costly calls keep their room until the
	 * thread attends to them.
	 */
	private void exchangeTogether(List<NodeCalls> exchanges, CallTime time) {
		List<WaitingRequest> joined = new ArrayList<>(exchanges.size());
		Semaphore ended = new Semaphore(0);
		try {
			for (NodeCalls calls : exchanges) {
				WaitingRequest pending = new WaitingRequest(calls, time);
				if (!calls.isLarge() && calls.node().costlyCalls().tryAcquire(calls.costlyWeight())) {
					if (!joined.isEmpty()) {
						pending.leaveAlone();
					}
					joined.add(pending);
					calls.node().batcher().join(pending);
				}
				else {
					start(calls, time, ended::release);
				}
			}
		}
		finally {
			await(joined, 0);
		}
		ended.acquireUninterruptibly(exchanges.size() - joined.size());
	}

	/** Whatever is thrown, each is awaited: others may depend on its thread. */
	private static void await(List<WaitingRequest> joined, int index) {
		if (index == joined.size()) {
			return;
		}
		WaitingRequest pending = joined.get(index);
		NodeCalls calls = pending.calls();
		RequestBatcher batcher = calls.node().batcher();
		try {
			batcher.await(pending, batcher.patience(pending.time()));
		}
		finally {
			calls.end(pending.hasEnded());
			calls.node().costlyCalls().release(calls.costlyWeight());
			await(joined, index + 1);
		}
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

	/** A part of the connections is reserved for other requests. */
	private static boolean runLarge(NodeCalls large, CallTime time) {
		Semaphore writes = large.node().largeWrites();
		if (!begin(writes, 1, large, time)) {
			return false;
		}
		try {
			return new LoneBatch(large, time).run();
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

	/** Deliver the replies and return the calls to send once more. */
	private List<NodeCalls> deliver(List<NodeCalls> exchanges) {
		List<NodeCalls> again = List.of();
		for (int i = 0; i < exchanges.size(); i++) {
			NodeCalls calls = exchanges.get(i);
			List<NodeCall> errors = calls.hasEnded() ? deliver(calls) : List.of();
			if (!errors.isEmpty()) {
				again = again.isEmpty() ? new ArrayList<>(exchanges.size()) : again;
				retry(errors, calls, again);
			}
		}
		return again;
	}

	private List<NodeCall> deliver(NodeCalls calls) {
		try {
			return calls.deliver();
		}
		catch (Throwable ex) {
			undelivered(calls, ex);
			return List.of();
		}
	}

	private void retry(List<NodeCall> errors, NodeCalls calls, List<NodeCalls> again) {
		try {
			errors.forEach((call) -> retry(call, calls.node(), again));
		}
		catch (Throwable ex) {
			undelivered(calls, ex);
		}
	}

	/** Whatever happens, the request has to end. */
	private void undelivered(NodeCalls calls, Throwable cause) {
		calls.undelivered();
		failed(calls.node(), StoreFailure.ERROR, cause);
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
