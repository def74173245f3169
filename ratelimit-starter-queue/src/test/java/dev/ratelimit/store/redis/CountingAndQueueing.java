package dev.ratelimit.store.redis;

import java.util.Optional;

import dev.ratelimit.queue.redis.RedisItemQueue;
import dev.ratelimit.store.redis.resp.RedisConnections;
import dev.ratelimit.store.redis.resp.RedisDetails;
import dev.ratelimit.store.redis.resp.RedisStoreSettings;
import dev.ratelimit.store.wire.CallRunner;

/**
 * A store and a queue over the same connections, as in an application.
 *
 * @param store counts permits
 * @param queue stores items
 */
public record CountingAndQueueing(RedisStore store, RedisItemQueue queue) implements AutoCloseable {

	/** Open connections of their own. */
	public static CountingAndQueueing connect(RedisDetails details, RedisStoreSettings settings) {
		CallRunner runner = new RedisConnections(details, settings).open();
		return new CountingAndQueueing(
				new RedisStore(runner, settings.keyPrefix(), SharedRedis.NO_LISTENER, Optional.empty()),
				new RedisItemQueue(ModuleStores.scripts(runner, settings.keyPrefix())));
	}

	@Override
	public void close() {
		this.store.close();
	}

}
