package dev.ratelimit.store.redis;

import java.util.concurrent.atomic.AtomicReference;

import dev.ratelimit.embeddedredis.RedisServer;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.args.ClientType;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.params.ClientKillParams;
import redis.clients.jedis.params.ClientKillParams.SkipMe;

/**
 * A server that a test has for itself, in place of {@link SharedRedis}: it may kill,
 * pause and flush it, and count its commands. The next test finds it as if it had just
 * been started. A test that sets an option starts a server instead.
 */
public final class OwnRedis {

	private static final AtomicReference<RedisServer> LAST = new AtomicReference<>();

	private OwnRedis() {
	}

	public static RedisServer server() {
		return LAST.updateAndGet((last) -> (last != null && renew(last)) ? last : RedisServer.start());
	}

	/** Returns whether the server is as it was at its start; else it is closed. */
	private static boolean renew(RedisServer server) {
		if (server.isAlive()) {
			try (Jedis redis = SharedRedis.connect(server)) {
				// Nothing of the last test may arrive once its keys are gone.
				redis.clientKill(new ClientKillParams().type(ClientType.NORMAL).skipMe(SkipMe.YES));
				redis.flushAll();
				redis.scriptFlush();
				redis.configResetStat();
				return true;
			}
			catch (JedisException ex) {
				// The last test has failed while the server was paused, or a replica.
			}
		}
		server.close();
		return false;
	}

}
