package dev.ratelimit.embeddedredis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import redis.clients.jedis.Jedis;

/**
 * Redis Sentinels that monitor one master, as real processes which end with this JVM as
 * {@link RedisServer} does. They consider the master down after one second.
 */
public final class RedisSentinels implements AutoCloseable {

	private static final Duration TIMEOUT = Duration.ofSeconds(20);

	private final List<RedisServer> sentinels;

	private RedisSentinels(List<RedisServer> sentinels) {
		this.sentinels = List.copyOf(sentinels);
	}

	/**
	 * Start Sentinels and wait until they have discovered the master and each other,
	 * which takes some two seconds if there are several.
	 * @param masterName the name of the master for clients
	 * @param master the master; if its default user has a password, the Sentinels get it
	 * @param count the number of Sentinels, at least 1; their majority decides
	 * @return the running Sentinels
	 * @throws IllegalStateException if they do not find each other within 20 seconds; the
	 * message contains the ends of the logs
	 */
	public static RedisSentinels start(String masterName, RedisServer master, int count) {
		List<RedisServer> sentinels = new ArrayList<>();
		try {
			List<String> configuration = configuration(masterName, master, count);
			for (int i = 0; i < count; i++) {
				sentinels.add(RedisServer.startSentinel(configuration));
			}
			int replicas = replicas(master);
			Await.until(TIMEOUT,
					() -> sentinels.stream().allMatch((sentinel) -> sees(sentinel, masterName, count - 1, replicas)),
					() -> "The Sentinels do not find each other and the replicas\n"
							+ sentinels.stream().map(RedisServer::logTail).collect(Collectors.joining("\n\n")));
			return new RedisSentinels(sentinels);
		}
		catch (RuntimeException ex) {
			sentinels.forEach(RedisServer::close);
			throw ex;
		}
	}

	private static List<String> configuration(String masterName, RedisServer master, int count) {
		int quorum = count / 2 + 1;
		String password = master.password();
		return List.of("sentinel monitor " + masterName + " " + master.host() + " " + master.port() + " " + quorum,
				"sentinel down-after-milliseconds " + masterName + " 1000",
				"sentinel failover-timeout " + masterName + " 5000",
				(password != null) ? "sentinel auth-pass " + masterName + " " + password : "");
	}

	private static int replicas(RedisServer master) {
		try (Jedis jedis = master.connect()) {
			String prefix = "connected_slaves:";
			return jedis.info("replication")
				.lines()
				.filter((line) -> line.startsWith(prefix))
				.mapToInt((line) -> Integer.parseInt(line.substring(prefix.length())))
				.sum();
		}
	}

	private static boolean sees(RedisServer sentinel, String masterName, int others, int replicas) {
		try (Jedis jedis = sentinel.connect()) {
			Map<String, String> master = jedis.sentinelMaster(masterName);
			return Integer.toString(others).equals(master.get("num-other-sentinels"))
					&& Integer.toString(replicas).equals(master.get("num-slaves"));
		}
	}

	/**
	 * Return host and port of every Sentinel.
	 * @return the addresses
	 */
	public List<String> addresses() {
		return this.sentinels.stream().map(RedisServer::address).toList();
	}

	/**
	 * Kill all Sentinels and remove their directories. The master keeps running.
	 */
	@Override
	public void close() {
		this.sentinels.forEach(RedisServer::close);
	}

}
