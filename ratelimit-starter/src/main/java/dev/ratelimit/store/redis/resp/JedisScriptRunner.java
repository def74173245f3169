package dev.ratelimit.store.redis.resp;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
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
 * only where Redis said that it did not run it: the text is sent where the script is not
 * known, and a redirection is followed. What was lost on the way is not sent again.
 */
final class JedisScriptRunner implements ScriptRunner {

	private static final int MAX_ROUNDS = 6;

	private static final Comparator<NodeExchange> SAME_ORDER_FOR_ALL = Comparator
		.comparing((exchange) -> exchange.node().toString());

	private final String description;

	private final Topology topology;

	private final LateReplies late = new LateReplies();

	private final FailureLog failureLog = new FailureLog();

	private final NodeExchange.FailureListener listener = this::failed;

	JedisScriptRunner(String description, Topology topology) {
		this.description = description;
		this.topology = topology;
	}

	@Override
	public void run(List<ScriptCall> calls, Duration maxWait) {
		CallTime time = new CallTime(maxWait);
		List<Attempt> again = exchange(firstExchanges(calls), time, !maxWait.isZero());
		for (int round = 1; round < MAX_ROUNDS && !again.isEmpty() && !maxWait.isZero(); round++) {
			time = time.rest();
			again = exchange(byNode(again), time, true);
		}
		if (!again.isEmpty()) {
			StoreFailure failure = maxWait.isZero() ? StoreFailure.TIMEOUT : StoreFailure.UNAVAILABLE;
			again.forEach((attempt) -> attempt.call().failed(failure, Fate.NOT_TAKEN));
		}
	}

	private List<NodeExchange> firstExchanges(List<ScriptCall> calls) {
		List<NodeExchange> exchanges = new ArrayList<>(calls.size());
		for (int i = 0; i < calls.size(); i++) {
			ScriptCall call = calls.get(i);
			Node node = this.topology.nodeFor(call::key);
			if (node != null) {
				exchangeWith(node, exchanges).add(Attempt.first(call, node));
			}
			else {
				failedWithoutNode(call);
			}
		}
		return exchanges;
	}

	private void failedWithoutNode(ScriptCall call) {
		Optional<Throwable> cause = this.topology.failure();
		StoreFailure failure = cause.map(StoreFailures::classify).orElse(StoreFailure.UNREACHABLE);
		call.failed(failure, Fate.NOT_TAKEN);
		this.failureLog.report(failure, this.description,
				cause.orElseGet(() -> new NoLinkException(failure, "no node is known that serves the key", null)));
		this.topology.suspect();
	}

	private List<Attempt> exchange(List<NodeExchange> exchanges, CallTime time, boolean mayWait) {
		if (mayWait && exchanges.size() == 1 && !exchanges.get(0).isAsking()) {
			NodeExchange one = exchanges.get(0);
			if (one.isLarge()) {
				return exchangeLarge(one, exchanges, time);
			}
			return one.node().lanes().run(one, time, this.late) ? deliver(one) : List.of();
		}
		return exchangeAlone(exchanges, time);
	}

	/** A part of the connections is left to decisions. */
	private List<Attempt> exchangeLarge(NodeExchange large, List<NodeExchange> alone, CallTime time) {
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
			return exchangeAlone(alone, time);
		}
		finally {
			writes.end();
		}
	}

	/**
	 * A node that has no connection to spare holds up none of the others: it comes last,
	 * when theirs are free again, so that no request holds what another one waits for.
	 */
	private List<Attempt> exchangeAlone(List<NodeExchange> exchanges, CallTime time) {
		if (exchanges.size() > 1) {
			// Connections are taken in one order, or two requests could wait for each
			// other.
			exchanges.sort(SAME_ORDER_FOR_ALL);
		}
		List<Attempt> again = new ArrayList<>(0);
		List<LoneTrip> trips = new ArrayList<>(exchanges.size());
		List<LoneTrip> waiting = new ArrayList<>(0);
		for (NodeExchange exchange : exchanges) {
			LoneTrip trip = new LoneTrip(exchange, time, this.late);
			(trip.sendAtOnce() ? trips : waiting).add(trip);
		}
		read(trips, again);
		waiting.forEach(LoneTrip::send);
		read(waiting, again);
		return again;
	}

	private void read(List<LoneTrip> trips, List<Attempt> again) {
		for (LoneTrip trip : trips) {
			if (trip.read()) {
				again.addAll(deliver(trip.exchange()));
			}
		}
	}

	/** What is to be sent once more. */
	private List<Attempt> deliver(NodeExchange exchange) {
		List<Attempt> errors = exchange.deliver();
		return errors.isEmpty() ? errors : errors.stream().map(this::next).flatMap(Optional::stream).toList();
	}

	private List<NodeExchange> byNode(List<Attempt> attempts) {
		List<NodeExchange> exchanges = new ArrayList<>(attempts.size());
		for (Attempt attempt : attempts) {
			exchangeWith(attempt.node(), exchanges).add(attempt);
		}
		return exchanges;
	}

	private NodeExchange exchangeWith(Node node, List<NodeExchange> exchanges) {
		for (int i = 0; i < exchanges.size(); i++) {
			if (exchanges.get(i).node() == node) {
				return exchanges.get(i);
			}
		}
		NodeExchange exchange = new NodeExchange(node, this.listener);
		exchanges.add(exchange);
		return exchange;
	}

	private Optional<Attempt> next(Attempt attempt) {
		if (!(attempt.reply() instanceof JedisDataException error)) {
			return Optional.empty();
		}
		if (error instanceof JedisNoScriptException && !attempt.withText()) {
			return Optional.of(attempt.withScriptText());
		}
		if (error instanceof JedisMovedDataException moved) {
			this.topology.suspect();
			return Optional.of(attempt.movedTo(target(moved, attempt.node())));
		}
		if (error instanceof JedisAskDataException ruleRequest) {
			return Optional.of(attempt.askedAt(target(ruleRequest, attempt.node())));
		}
		if (Objects.toString(error.getMessage(), "").startsWith("CROSSSLOT")) {
			// The one address of a standalone Redis is that of a cluster node.
			attempt.node().keepSlotsApart();
			return Optional.of(attempt.again());
		}
		StoreFailure failure = StoreFailures.classify(error);
		// A script may have written before a command of its failed.
		attempt.call().failed(failure, StoreFailures.mayHaveRun(error) ? Fate.UNKNOWN : Fate.NOT_TAKEN);
		failed(attempt.node(), failure, error);
		return Optional.empty();
	}

	/** A node that does not know the host of the other means its own. */
	private Node target(JedisRedirectionException redirection, Node from) {
		HostAndPort target = redirection.getTargetNode();
		return this.topology
			.nodeAt(target.getHost().isEmpty() ? new HostAndPort(from.address().getHost(), target.getPort()) : target);
	}

	private void failed(Node node, StoreFailure failure, Throwable cause) {
		if (failure == StoreFailure.OVERLOADED) {
			// The node answers: it is our own requests that wait for each other.
			return;
		}
		this.failureLog.report(failure, node, cause);
		// Where connections stay in use of a node that answers nobody, another one may be
		// master by now.
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
		this.late.close();
		this.topology.close();
	}

}
