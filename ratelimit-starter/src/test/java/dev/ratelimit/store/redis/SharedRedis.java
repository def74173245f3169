package dev.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.ratelimit.embeddedredis.RedisCluster;
import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.store.LateReplyListener;
import dev.ratelimit.store.Limits;
import dev.ratelimit.store.redis.resp.RedisConnections;
import dev.ratelimit.store.redis.resp.RedisDetails;
import dev.ratelimit.store.redis.resp.RedisStoreSettings;
import dev.ratelimit.store.wire.CallRunner;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.commands.ProtocolCommand;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * One Redis and one cluster of three masters for all tests of this JVM, which end with
 * it. As an extension it checks, after every test, that each key will expire in time, and
 * removes it.
 */
public final class SharedRedis implements AfterEachCallback {

	public static final String PREFIX = "rl:test";

	public static final RedisStoreSettings SETTINGS = settings(8);

	public static final LateReplyListener NO_LISTENER = (rule, acknowledged) -> {
	};

	private static final List<RedisServer> STARTED = new CopyOnWriteArrayList<>();

	public static RedisServer standalone() {
		return Standalone.SERVER;
	}

	public static RedisCluster cluster() {
		return Cluster.CLUSTER;
	}

	/** Connections to the standalone server, shared and never closed. */
	public static CountingRunner runner() {
		return new CountingRunner(Standalone.RUNNER);
	}

	/** Looks into the standalone server from the thread of the tests; never closed. */
	public static Jedis inspection() {
		return Standalone.INSPECTION;
	}

	/** Redis 6.2 lacks some commands by which a test observes it. */
	static void assumeKnown(ProtocolCommand command) {
		Object known = inspection().sendCommand(Protocol.Command.COMMAND, "INFO",
				new String(command.getRaw(), StandardCharsets.US_ASCII));
		assumeThat((List<?>) known).doesNotContainNull();
	}

	public static CallRunner clusterRunner() {
		return new CountingRunner(Cluster.RUNNER);
	}

	public static RedisStoreSettings settings(int maxConnections) {
		return settings(maxConnections, 100);
	}

	public static RedisStoreSettings settings(int maxConnections, int maxWaiting) {
		return new RedisStoreSettings(PREFIX, Duration.ofSeconds(2), maxConnections, maxWaiting);
	}

	/** A store with its own connections, whose late replies are ignored. */
	public static RedisStore store(RedisDetails details, RedisStoreSettings settings) {
		return store(details, settings, NO_LISTENER);
	}

	/** A store with its own connections. */
	public static RedisStore store(RedisDetails details, RedisStoreSettings settings, LateReplyListener listener) {
		return new RedisStore(new RedisConnections(details, settings).open(), settings.keyPrefix(), listener,
				Optional.empty());
	}

	public static Jedis connect(RedisServer server) {
		return new Jedis(server.host(), server.port());
	}

	public static String info(RedisServer server, String section) {
		try (Jedis jedis = connect(server)) {
			return jedis.info(section);
		}
	}

	private static List<RedisServer> started(List<RedisServer> servers) {
		STARTED.addAll(servers);
		return servers;
	}

	@Override
	public void afterEach(ExtensionContext context) {
		checkAndRemoveKeys();
	}

	public static void checkAndRemoveKeys() {
		STARTED.forEach(SharedRedis::checkAndRemoveKeys);
	}

	/**
	 * No key without expiry, and none that outlives the horizon of its limit by more than
	 * a second, or for a log or a bucket by a quarter more.
	 * @param server the server to check, and to empty
	 */
	public static void checkAndRemoveKeys(RedisServer server) {
		try (Jedis jedis = connect(server)) {
			for (String key : jedis.keys("*")) {
				assertThat(key).startsWith(PREFIX + ":{").containsPattern("}:(l1|[cftib]2)$");
				String rule = key.substring(PREFIX.length() + 2, key.indexOf(':', PREFIX.length() + 2));
				long horizonMillis = Limits.known(rule).orElseThrow().horizon().toMillis();
				// -2: it has expired since.
				assertThat(jedis.pttl(key)).as("PTTL of " + key)
					.isNotEqualTo(-1)
					.isLessThanOrEqualTo((key.matches(".*}:[cf]2") ? horizonMillis : horizonMillis * 5 / 4) + 1000);
			}
			jedis.flushAll();
		}
	}

	/** The same for keys with turns, which live longer: until the last turn has come. */
	public static void checkAndRemoveKeysWithTurns() {
		for (RedisServer server : STARTED) {
			try (Jedis jedis = connect(server)) {
				assertThat(jedis.keys(PREFIX + ":*"))
					.allSatisfy((key) -> assertThat(jedis.pttl(key)).as(key).isNotEqualTo(-1));
				jedis.flushAll();
			}
		}
	}

	/**
	 * Where a test leaves keys without expiry, such as those of a queue that holds items.
	 */
	public static void removeKeys() {
		for (RedisServer server : STARTED) {
			try (Jedis jedis = connect(server)) {
				jedis.flushAll();
			}
		}
	}

	private static final class Standalone {

		private static final RedisServer SERVER = started(List.of(RedisServer.start())).get(0);

		private static final CallRunner RUNNER = new RedisConnections(
				TestConnectionDetails.standalone(SERVER.address()), SETTINGS)
			.open();

		private static final Jedis INSPECTION = connect(SERVER);

	}

	private static final class Cluster {

		private static final RedisCluster CLUSTER = RedisCluster.start(3, 0, "--cluster-node-timeout", "20000");

		static {
			started(CLUSTER.nodes());
		}

		private static final CallRunner RUNNER = new RedisConnections(
				TestConnectionDetails.cluster(CLUSTER.addresses()), SETTINGS)
			.open();

	}

}
