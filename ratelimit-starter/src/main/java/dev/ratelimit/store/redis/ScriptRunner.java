package dev.ratelimit.store.redis;

import java.util.List;

/**
 * The only way to Redis: nothing above it knows the driver, the topology or how calls
 * share a round trip.
 */
interface ScriptRunner extends AutoCloseable {

	/**
	 * Run scripts within the deadline. All calls leave before the first reply is awaited,
	 * whichever nodes they go to; a node that cannot be reached fails its own calls only.
	 * Never throws: each call learns its own {@linkplain ScriptCall#outcome() outcome}.
	 * @param calls the calls, each on one key
	 */
	void run(List<ScriptCall> calls);

	/**
	 * Name the place, without credentials.
	 * @return for example {@code Redis at localhost:6379}
	 */
	String describe();

	@Override
	void close();

}
