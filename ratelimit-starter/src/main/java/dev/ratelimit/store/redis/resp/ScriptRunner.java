package dev.ratelimit.store.redis.resp;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The only way to Redis: nothing above it knows the driver, the topology or how calls
 * share a round trip.
 */
public interface ScriptRunner extends AutoCloseable {

	/**
	 * Run scripts within a time. All calls leave before the first reply is awaited,
	 * whichever nodes they go to, but for those to a node whose connections are all in
	 * use: they follow when the others are answered. A node that cannot be reached fails
	 * its own calls only. Never throws: each call learns its own
	 * {@linkplain ScriptCall#outcome() outcome}.
	 * @param calls the calls, each on one key
	 * @param maxWait how long to wait in all; with nothing, what can be sent at once is
	 * sent
	 */
	void run(List<ScriptCall> calls, Duration maxWait);

	/**
	 * Name the place that a call goes to. Costs no call and does not wait.
	 * @param key makes the key of the call, where it matters
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
	 * Tell what went wrong last.
	 * @return place and cause, without credentials; nothing where nothing went wrong
	 */
	default Optional<String> lastFailure() {
		return Optional.empty();
	}

	/**
	 * Name the place, without credentials.
	 * @return for example {@code Redis at localhost:6379}
	 */
	String describe();

	@Override
	void close();

}
