package dev.ratelimit.store.redis.resp;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.store.StoreFailure;

/**
 * Waits, on one thread, for replies that came too late for their requests. There are
 * never more of them than connections, and the thread ends when there are none.
 */
final class LateReplies implements AutoCloseable {

	private static final Duration BETWEEN_POLLS = Duration.ofMillis(5);

	private final BlockingQueue<LateExchange> added = new LinkedBlockingQueue<>();

	private final ExecutorService thread = Background.thread("ratelimit-redis-late");

	/**
	 * Wait for the replies to calls.
	 * @param node where they were sent
	 * @param link the connection, to be released or discarded when they are there
	 * @param outstanding the commands whose replies come next, in their order
	 * @param unsent calls that have yet to be sent, to undo others
	 */
	void await(Node node, Link link, List<ScriptCommand> outstanding, List<ScriptCall> unsent) {
		LateExchange exchange = new LateExchange(node, link, outstanding, unsent);
		this.added.add(exchange);
		this.thread.execute(this::work);
		if (this.thread.isShutdown() && this.added.remove(exchange)) {
			exchange.giveUp(StoreFailure.TIMEOUT);
		}
	}

	private void work() {
		List<LateExchange> exchanges = new ArrayList<>();
		try {
			this.added.drainTo(exchanges);
			while (!exchanges.isEmpty()) {
				exchanges.removeIf(LateExchange::proceed);
				LateExchange next = this.added.poll(BETWEEN_POLLS.toMillis(), TimeUnit.MILLISECONDS);
				if (next != null) {
					exchanges.add(next);
				}
			}
		}
		catch (InterruptedException ex) {
			this.added.drainTo(exchanges);
			exchanges.forEach((exchange) -> exchange.giveUp(StoreFailure.TIMEOUT));
			Thread.currentThread().interrupt();
		}
	}

	@Override
	public void close() {
		this.thread.shutdownNow();
	}

}
