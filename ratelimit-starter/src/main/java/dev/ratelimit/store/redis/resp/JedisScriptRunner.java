package dev.ratelimit.store.redis.resp;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;

import dev.ratelimit.store.AcquireResult.Fate;
import dev.ratelimit.store.StoreFailure;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.exceptions.JedisAskDataException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisMovedDataException;
import redis.clients.jedis.exceptions.JedisNoScriptException;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/**
 * Runs scripts over pooled Jedis connections of the limiter's own. A call is repeated
 * only where Redis reported that it did not run it: the text is sent if Redis does not
 * know the script, and redirections are followed. A call whose request or reply was lost
 * is not sent again.
 */
final class JedisScriptRunner implements ScriptRunner {

	private static final int MAX_ROUNDS = 6;

	private static final Comparator<NodeCalls> SAME_ORDER_FOR_ALL = Comparator
		.comparing((calls) -> calls.node().toString());

	private final String description;

	private final Topology topology;

	private final FailureLog failureLog = new FailureLog();

	private final NodeCalls.FailureListener listener = this::failed;

	private final boolean sharing;

	JedisScriptRunner(String description, Topology topology) {
		this(description, topology, true);
	}

	/**
	 * Create a runner.
	 * @param description the name of the place, without credentials
	 * @param topology finds the node of each key
	 * @param sharing whether requests share batches; without, each has a connection of
	 * its own, so that benchmarks can show the difference
	 */
	JedisScriptRunner(String description, Topology topology, boolean sharing) {
		this.description = description;
		this.topology = topology;
		this.sharing = sharing;
	}

	@Override
	public void run(List<ScriptCall> calls, Duration maxWait) {
		CallTime time = new CallTime(maxWait);
		route(calls);
		List<ScriptCall> again = exchange(byNode(calls), time, !maxWait.isZero());
		for (int round = 1; round < MAX_ROUNDS && !again.isEmpty() && !maxWait.isZero(); round++) {
			time = time.rest();
			again = exchange(byNode(again), time, true);
		}
		if (!again.isEmpty()) {
			StoreFailure failure = maxWait.isZero() ? StoreFailure.TIMEOUT : StoreFailure.UNAVAILABLE;
			again.forEach((call) -> call.failed(failure, Fate.NOT_TAKEN));
		}
	}

	@Override
	public void start(List<ScriptCall> calls, Duration maxWait, Runnable completion) {
		route(calls);
		startRound(byNode(calls), new CallTime(maxWait), 1, completion);
	}

	private void startRound(List<NodeCalls> exchanges, CallTime time, int round, Runnable completion) {
		if (exchanges.isEmpty()) {
			completion.run();
			return;
		}
		Queue<ScriptCall> again = new ConcurrentLinkedQueue<>();
		AtomicInteger open = new AtomicInteger(exchanges.size());
		for (NodeCalls exchange : exchanges) {
			startExchange(exchange, time, (errors) -> {
				again.addAll(errors);
				if (open.decrementAndGet() == 0) {
					endRound(List.copyOf(again), time, round, completion);
				}
			});
		}
	}

	private void startExchange(NodeCalls exchange, CallTime time, Consumer<List<ScriptCall>> ended) {
		Node node = exchange.node();
		if (!exchange.isLarge()) {
			node.batcher().start(exchange, time, (answered) -> ended.accept(answered ? deliver(exchange) : List.of()));
		}
		else if (!node.threads().run(() -> ended.accept(runLargeOrFail(exchange, time)))) {
			exchange.notSent(node.tooMany());
			ended.accept(List.of());
		}
	}

	private List<ScriptCall> runLargeOrFail(NodeCalls large, CallTime time) {
		try {
			return runLarge(large, new ArrayList<>(List.of(large)), time);
		}
		catch (Throwable ex) {
			// Whatever happens, the completion has to run.
			large.breakOff(StoreFailure.ERROR, ex);
			return deliver(large);
		}
	}

	private void endRound(List<ScriptCall> again, CallTime time, int round, Runnable completion) {
		if (again.isEmpty() || round == MAX_ROUNDS) {
			again.forEach((call) -> call.failed(StoreFailure.UNAVAILABLE, Fate.NOT_TAKEN));
			completion.run();
		}
		else {
			startRound(byNode(again), time.rest(), round + 1, completion);
		}
	}

	/** A call without a node has failed. */
	private void route(List<ScriptCall> calls) {
		for (int i = 0; i < calls.size(); i++) {
			ScriptCall call = calls.get(i);
			Node node = this.topology.nodeFor(call::key);
			call.sendTo(node, false);
			if (node == null) {
				failedWithoutNode(call);
			}
		}
	}

	private List<NodeCalls> byNode(List<ScriptCall> calls) {
		List<NodeCalls> exchanges = new ArrayList<>(calls.size());
		for (int i = 0; i < calls.size(); i++) {
			ScriptCall call = calls.get(i);
			if (call.node() != null) {
				callsTo(call.node(), exchanges).add(call);
			}
		}
		return exchanges;
	}

	private NodeCalls callsTo(Node node, List<NodeCalls> exchanges) {
		for (int i = 0; i < exchanges.size(); i++) {
			if (exchanges.get(i).node() == node) {
				return exchanges.get(i);
			}
		}
		NodeCalls calls = new NodeCalls(node, this.listener);
		exchanges.add(calls);
		return calls;
	}

	private void failedWithoutNode(ScriptCall call) {
		Optional<Throwable> cause = this.topology.failure();
		StoreFailure failure = cause.map(FailureClassifier::classify).orElse(StoreFailure.UNREACHABLE);
		call.failed(failure, Fate.NOT_TAKEN);
		this.failureLog.report(failure, this.description, cause
			.orElseGet(() -> new NoConnectionException(failure, "no node is known that serves the key", null)));
		this.topology.suspect();
	}

	private List<ScriptCall> exchange(List<NodeCalls> exchanges, CallTime time, boolean mayWait) {
		if (this.sharing && mayWait && exchanges.size() == 1) {
			NodeCalls one = exchanges.get(0);
			if (one.isLarge()) {
				return runLarge(one, exchanges, time);
			}
			return one.node().batcher().run(one, time) ? deliver(one) : List.of();
		}
		return runAlone(exchanges, time);
	}

	/** A part of the connections is reserved for decisions. */
	private List<ScriptCall> runLarge(NodeCalls large, List<NodeCalls> alone, CallTime time) {
		LargeWrites writes = large.node().largeWrites();
		try {
			if (!writes.begin(time.nextLookNanos())) {
				large.notSent(large.node().noneInTime());
				return List.of();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			large.notSent(StoreFailure.TIMEOUT, ex);
			return List.of();
		}
		try {
			return runAlone(alone, time);
		}
		finally {
			writes.end();
		}
	}

	/**
	 * A node without a free connection does not delay the others. Its calls are sent
	 * last, when the connections to the other nodes are free again, so no request holds a
	 * connection that another one waits for.
	 */
	private List<ScriptCall> runAlone(List<NodeCalls> exchanges, CallTime time) {
		if (exchanges.size() > 1) {
			// All requests take connections in the same order; otherwise two could
			// deadlock.
			exchanges.sort(SAME_ORDER_FOR_ALL);
		}
		List<ScriptCall> again = new ArrayList<>(0);
		List<LoneBatch> batches = new ArrayList<>(exchanges.size());
		List<LoneBatch> waiting = new ArrayList<>(0);
		for (NodeCalls calls : exchanges) {
			LoneBatch batch = new LoneBatch(calls, time);
			(batch.sendAtOnce() ? batches : waiting).add(batch);
		}
		read(batches, again);
		waiting.forEach(LoneBatch::send);
		read(waiting, again);
		return again;
	}

	private void read(List<LoneBatch> batches, List<ScriptCall> again) {
		for (LoneBatch batch : batches) {
			if (batch.read()) {
				again.addAll(deliver(batch.calls()));
			}
		}
	}

	/** Deliver the replies and return the calls to send once more. */
	private List<ScriptCall> deliver(NodeCalls calls) {
		List<ScriptCall> errors = calls.deliver();
		return errors.isEmpty() ? errors : errors.stream().filter((call) -> isSentAgain(call, calls.node())).toList();
	}

	private boolean isSentAgain(ScriptCall call, Node node) {
		if (!(call.reply() instanceof JedisDataException error)) {
			return false;
		}
		if (error instanceof JedisNoScriptException && !call.withText()) {
			call.sendAgain(true);
			return true;
		}
		if (error instanceof JedisMovedDataException moved) {
			this.topology.suspect();
			call.sendTo(target(moved, node), false);
			return true;
		}
		if (error instanceof JedisAskDataException ask) {
			call.sendTo(target(ask, node), true);
			return true;
		}
		if (Objects.toString(error.getMessage(), "").startsWith("CROSSSLOT")) {
			// The one address of a standalone Redis is that of a cluster node.
			node.keepSlotsApart();
			call.sendAgain(call.withText());
			return true;
		}
		StoreFailure failure = FailureClassifier.classify(error);
		// A script may have written before one of its commands failed.
		call.failed(failure, FailureClassifier.mayHaveRun(error) ? Fate.UNKNOWN : Fate.NOT_TAKEN);
		failed(node, failure, error);
		return false;
	}

	/** An empty host in a redirection means the host of the node that sent it. */
	private Node target(JedisRedirectionException redirection, Node from) {
		HostAndPort target = redirection.getTargetNode();
		return this.topology
			.nodeAt(target.getHost().isEmpty() ? new HostAndPort(from.address().getHost(), target.getPort()) : target);
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
			this.topology.suspect();
		}
	}

	@Override
	public String shard(Supplier<byte[]> key) {
		Node node = this.topology.nodeFor(key);
		return (node != null) ? node.name() : this.description;
	}

	@Override
	public Optional<String> lastFailure() {
		return this.failureLog.last();
	}

	@Override
	public long incarnation() {
		return this.topology.incarnation();
	}

	@Override
	public String describe() {
		return this.description;
	}

	@Override
	public void close() {
		this.topology.close();
	}

}
