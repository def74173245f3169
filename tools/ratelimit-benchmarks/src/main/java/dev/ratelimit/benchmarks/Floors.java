package dev.ratelimit.benchmarks;

import java.util.List;

import redis.clients.jedis.UnifiedJedis;

/**
 * The lowest cost of any decision over a socket.
 */
final class Floors {

	/** The floor of all comparisons. */
	static final Peer INCR = new Peer("INCR through pooled Jedis", "no limit: a floor",
			"https://redis.io/commands/incr", (redis, workload) -> {
				UnifiedJedis client = redis.pooled(workload.threads());
				return new Floor(client, (key) -> client.incr("floor:" + key) > 0);
			});

	/** A script that does nothing. */
	static final Peer EMPTY_SCRIPT = new Peer("EVALSHA of `return 1`", "no limit: a floor",
			"https://redis.io/commands/evalsha", (redis, workload) -> {
				UnifiedJedis client = redis.pooled(workload.threads());
				String sha = client.scriptLoad("return 1");
				return new Floor(client, (key) -> client.evalsha(sha, List.of("floor:" + key), List.of()).equals(1L));
			});

	private Floors() {
	}

	private record Floor(UnifiedJedis client, Contender contender) implements Contender {

		@Override
		public boolean tryAcquire(String key) {
			return this.contender.tryAcquire(key);
		}

		@Override
		public void close() {
			this.client.close();
		}

	}

}
