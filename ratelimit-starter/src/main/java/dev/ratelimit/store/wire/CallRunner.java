package dev.ratelimit.store.wire;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

import dev.ratelimit.support.Pending;
import dev.ratelimit.support.Restartable;

/**
 * Runs the calls of requests. The store above it knows neither where its nodes are nor
 * how calls share a batch.
 */
public interface CallRunner extends Restartable {

	/**
	 * Run calls within a time, as {@link CallTime} counts it. All calls are sent, or wait
	 * to be sent with those of other requests, before the first reply is awaited,
	 * whichever nodes they go to. A node that is slow or cannot be reached delays and
	 * fails its own calls only, but costly calls may keep their room at another node
	 * meanwhile. Never throws: each call stores its own {@linkplain NodeCall#outcome()
	 * outcome}.
	 * @param calls the calls, each on one key
	 * @param maxWait how long to wait for the replies, and before that, while the node
	 * answers others, at most four times as long for a turn; if zero, only calls that can
	 * be sent at once are sent
	 */
	void run(List<? extends NodeCall> calls, Duration maxWait);

	/**
	 * As above, in the same rounds, but return at once, whatever state the store is in.
	 * The calls need no thread of their own: the threads of a node send and read for all
	 * of them.
	 * @param calls the calls, each on one key
	 * @param maxWait as for {@link #run}
	 * @param completion run once when each call has its outcome, on any thread, possibly
	 * the current one. Other requests wait while it runs, so whatever takes time must be
	 * handed over to another thread
	 */
	void start(List<? extends NodeCall> calls, Duration maxWait, Runnable completion);

	/**
	 * As above, with or without a thread, as the caller chooses later.
	 * @param <C> the type of the calls
	 * @param <T> the type of what the caller receives
	 * @param calls the calls, each on one key
	 * @param maxWait as for {@link #run}
	 * @param reader reads the outcomes of the calls
	 * @return what the reader returns
	 */
	default <C extends NodeCall, T> Pending<T> pending(List<C> calls, Duration maxWait, Function<List<C>, T> reader) {
		return new PendingCalls<>(this, calls, maxWait, reader);
	}

	/**
	 * Name the node that a call goes to. Needs no call and does not wait.
	 * @param key supplies the key of the call, where it matters
	 * @return the address of the node, or a name for all calls while no node is known
	 */
	String shard(Supplier<byte[]> key);

	/**
	 * A number that changes when all connections to a server were lost.
	 * @return the number
	 */
	default long incarnation() {
		return 0;
	}

	/**
	 * Describe the last failure.
	 * @return place and cause, without credentials; empty if nothing has failed
	 */
	default Optional<String> lastFailure() {
		return Optional.empty();
	}

	/**
	 * Describe the servers, without credentials.
	 * @return for example {@code Redis at localhost:6379}
	 */
	String describe();

	/** Open connections again. Waits for the first ones as at the start. */
	@Override
	default void restart() {
	}

	/** Close all connections. Calls fail from then on. */
	@Override
	void close();

}
