package dev.ratelimit.store.wire;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
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
 * are an {@link Exchange}.
 * <li>It waits in the {@link NodeQueue} of the {@link Node}, until it is taken into a
 * batch together with those of the requests that wait as well.
 * <li>A {@link Lane} combines the calls of a batch into {@linkplain Command commands},
 * writes all of them, and reads the replies. The {@link LateLanes} read those that come
 * too late.
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

	private final Exchange.FailureListener listener = this::failed;

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
		Round round = route(calls, new Round(1, new CallTime(maxWait), null));
		while (round != null) {
			round.run();
			round = round.next();
		}
	}

	@Override
	public void start(List<? extends NodeCall> calls, Duration maxWait, Runnable completion) {
		route(calls, new Round(1, new CallTime(maxWait), completion)).start();
	}

	/** A call without a node fails. */
	private Round route(List<? extends NodeCall> calls, Round round) {
		for (int i = 0; i < calls.size(); i++) {
			NodeCall call = calls.get(i);
			Node node = this.router.nodeFor(call::key);
			if (node != null) {
				round.add(call, node);
			}
			else {
				failedWithoutNode(call);
			}
		}
		return round;
	}

	private void failedWithoutNode(NodeCall call) {
		NoConnectionException cause = this.router.failure()
			.orElseGet(() -> new NoConnectionException(StoreFailure.UNREACHABLE, "no node is known that serves the key",
					null));
		call.failed(cause.failure(), Fate.NOT_TAKEN);
		this.failureLog.report(cause.failure(), this.description, cause);
		this.router.suspect();
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

	/** One attempt of all calls that are still open. */
	private final class Round {

		private final int number;

		private final CallTime time;

		private final @Nullable Runnable completion;

		private final List<Exchange> exchanges = new ArrayList<>(1);

		private volatile @Nullable AtomicInteger open;

		Round(int number, CallTime time, @Nullable Runnable completion) {
			this.number = number;
			this.time = time;
			this.completion = completion;
		}

		/** Add a call to the exchange with its node. */
		void add(NodeCall call, Node node) {
			for (int i = 0; i < this.exchanges.size(); i++) {
				if (this.exchanges.get(i).node() == node) {
					this.exchanges.get(i).add(call);
					return;
				}
			}
			Exchange exchange = new Exchange(node, this.time, RoutedCallRunner.this.listener,
					(this.completion != null) ? this::ended : null);
			exchange.add(call);
			this.exchanges.add(exchange);
		}

		/**
		 * Run on the current thread. A node that is slow or has no room delays no calls
		 * to the others: the thread sends and reads at one of them when all others are
		 * under way, and threads of the nodes do so there meanwhile.
		 */
		void run() {
			for (int i = this.exchanges.size() - 1; i >= 0; i--) {
				Exchange exchange = this.exchanges.get(i);
				if (i == 0) {
					exchange.attend();
				}
				exchange.node().send(exchange);
			}
			for (int i = 0; i < this.exchanges.size(); i++) {
				this.exchanges.get(i).node().await(this.exchanges.get(i));
			}
		}

		/** Run without a thread, then the next round, and then the completion. */
		void start() {
			AtomicInteger remaining = new AtomicInteger(this.exchanges.size() + 1);
			this.open = remaining;
			this.exchanges.forEach((exchange) -> exchange.node().start(exchange));
			ended();
		}

		private void ended() {
			if (Objects.requireNonNull(this.open).decrementAndGet() > 0) {
				return;
			}
			Round next = next();
			if (next != null) {
				next.start();
			}
			else {
				Objects.requireNonNull(this.completion).run();
			}
		}

		/** Deliver the replies and return the calls to send once more, if any. */
		@Nullable Round next() {
			Round next = null;
			for (int i = 0; i < this.exchanges.size(); i++) {
				Exchange exchange = this.exchanges.get(i);
				if (exchange.hasEnded()) {
					next = deliver(exchange, next);
				}
			}
			if (next == null || this.number < MAX_ROUNDS) {
				return next;
			}
			next.exchanges.forEach((exchange) -> exchange.failed(StoreFailure.UNAVAILABLE));
			return null;
		}

		/** Whatever happens, the request has to end. */
		private @Nullable Round deliver(Exchange exchange, @Nullable Round before) {
			Round next = before;
			try {
				for (NodeCall call : exchange.deliver()) {
					next = (next != null) ? next : new Round(this.number + 1, this.time.rest(), this.completion);
					retry(call, exchange.node(), next);
				}
			}
			catch (Throwable ex) {
				exchange.undelivered();
				failed(exchange.node(), StoreFailure.ERROR, ex);
			}
			return (next == null || next.exchanges.isEmpty()) ? null : next;
		}

		private void retry(NodeCall call, Node node, Round next) {
			ErrorReply error = (ErrorReply) Objects.requireNonNull(call.reply());
			if (error.keysApart()) {
				node.keepKeysApart();
			}
			String address = call.retry(error, node.name());
			if (address == null) {
				call.failed(error.failure(), error.mayHaveRun() ? Fate.UNKNOWN : Fate.NOT_TAKEN);
				failed(node, error.failure(), error.cause());
			}
			else if (address.equals(node.name())) {
				next.add(call, node);
			}
			else {
				RoutedCallRunner.this.router.suspect();
				next.add(call, RoutedCallRunner.this.router.nodeAt(address));
			}
		}

	}

}
