package dev.ratelimit.proof;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.fixture.FaultProxy;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Where a fault happens.
 *
 * @param server the Redis
 * @param proxy the proxy in front of it
 * @param spare another Redis
 */
record Place(RedisServer server, FaultProxy proxy, RedisServer spare) {

	void admin(Consumer<Jedis> command) {
		try (Jedis redis = new Jedis(this.server.host(), this.server.port())) {
			command.accept(redis);
		}
	}

	/** Start a command that does not end before the fault does. */
	CompletableFuture<Object> later(Function<Jedis, Object> command) {
		return CompletableFuture.supplyAsync(() -> {
			try (Jedis redis = new Jedis(this.server.host(), this.server.port(), 60_000)) {
				return command.apply(redis);
			}
			catch (JedisException ex) {
				return ex;
			}
		}, (task) -> new Thread(task, "load-redis").start());
	}

	/** Whether the server does not reply. */
	boolean isBusy() {
		try (Jedis redis = new Jedis(this.server.host(), this.server.port(), 50)) {
			redis.ping();
			return false;
		}
		catch (JedisException ex) {
			return true;
		}
	}

	/** Whether a write succeeds on the way that the application takes. */
	boolean isWritable() {
		try (Jedis redis = new Jedis("127.0.0.1", this.proxy.port())) {
			redis.eval("return redis.call('SET', KEYS[1], '1')", 1, "control");
			return true;
		}
		catch (JedisException ex) {
			return false;
		}
	}

}
