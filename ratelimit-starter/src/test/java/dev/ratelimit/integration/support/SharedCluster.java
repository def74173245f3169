package dev.ratelimit.integration.support;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;

import dev.ratelimit.embeddedredis.RedisCluster;
import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.fixture.Patience;
import dev.ratelimit.limiter.health.StoreConcerns;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.params.ScanParams;
import redis.clients.jedis.resps.ScanResult;

import org.springframework.test.util.ReflectionTestUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * One cluster of three masters for all integration tests of this JVM. After each test no
 * key is left without an expiry.
 */
public final class SharedCluster implements AfterEachCallback {

	private static final RedisCluster CLUSTER = RedisCluster.start(3, 0, "--cluster-node-timeout", "20000");

	static {
		Runtime.getRuntime().addShutdownHook(new Thread(CLUSTER::close));
	}

	@Override
	public void afterEach(ExtensionContext context) {
		for (RedisServer node : CLUSTER.nodes()) {
			try (Jedis jedis = new Jedis(node.host(), node.port())) {
				assertThat(allKeys(jedis)).allSatisfy((key) -> assertThat(jedis.pttl(key)).as(key).isNotEqualTo(-1));
			}
		}
	}

	/** A connection to one of the nodes. */
	public static Jedis connect() {
		RedisServer node = CLUSTER.nodes().get(0);
		return new Jedis(node.host(), node.port());
	}

	public static List<String> addresses() {
		return CLUSTER.addresses();
	}

	/**
	 * The YAML that points an application at the cluster, and leaves it time on a busy
	 * machine. The application is configured as the only instance, as its heartbeats
	 * would be among the scripts that tests count.
	 */
	public static String yaml() {
		return """
				spring.data.redis.cluster.nodes: %s
				ratelimit.deadline: 10s
				ratelimit.instances: 1
				""".formatted(String.join(",", addresses()));
	}

	/**
	 * How often scripts ran, over all nodes. Waits first for the script that examines
	 * Redis after the start, and puts off its next run, which is due after a minute.
	 */
	public static long scriptCalls(App app) {
		StoreConcerns concerns = app.bean(StoreConcerns.class);
		Awaitility.await().atMost(Patience.LONG).until(() -> concerns.known().isPresent());
		ReflectionTestUtils.setField(concerns, "refreshedNanos", System.nanoTime());
		long calls = 0;
		for (RedisServer node : CLUSTER.nodes()) {
			try (Jedis jedis = new Jedis(node.host(), node.port())) {
				for (String line : jedis.info("commandstats").split("\r\n", -1)) {
					if (line.startsWith("cmdstat_evalsha:") || line.startsWith("cmdstat_eval:")) {
						calls += Long.parseLong(line.substring(line.indexOf('=') + 1, line.indexOf(',')));
					}
				}
			}
		}
		return calls;
	}

	/** The time of Redis; all nodes run on one machine and have its time. */
	public static long micros() {
		try (Jedis jedis = connect()) {
			List<String> time = jedis.time();
			return Long.parseLong(time.get(0)) * 1_000_000 + Long.parseLong(time.get(1));
		}
	}

	/** The keys under which an application counts, over all nodes. */
	public static Set<String> keys(String prefix) {
		Set<String> keys = new HashSet<>();
		for (RedisServer node : CLUSTER.nodes()) {
			try (Jedis jedis = new Jedis(node.host(), node.port())) {
				allKeys(jedis).stream()
					.filter((key) -> key.startsWith(prefix + ":{") && key.contains("}:")
							&& !key.contains("{instances}"))
					.forEach(keys::add);
			}
		}
		return keys;
	}

	/** Remove the keys that an application would leave to other instances. */
	public static void delete(String prefix) {
		for (RedisServer node : CLUSTER.nodes()) {
			try (Jedis jedis = new Jedis(node.host(), node.port())) {
				allKeys(jedis).stream().filter((key) -> key.startsWith(prefix + ":{")).forEach(jedis::del);
			}
		}
	}

	private static Set<String> allKeys(Jedis node) {
		Set<String> keys = new HashSet<>();
		String cursor = ScanParams.SCAN_POINTER_START;
		do {
			ScanResult<String> page = node.scan(cursor, new ScanParams().count(1000));
			keys.addAll(page.getResult());
			cursor = page.getCursor();
		}
		while (!cursor.equals(ScanParams.SCAN_POINTER_START));
		return keys;
	}

	/** The value and the expiry of a key, from the node that holds it. */
	public static String dumpAndExpiry(String key) {
		for (RedisServer node : CLUSTER.nodes()) {
			try (Jedis jedis = new Jedis(node.host(), node.port())) {
				if (allKeys(jedis).contains(key)) {
					return HexFormat.of().formatHex(jedis.dump(key)) + " until " + jedis.pexpireTime(key);
				}
			}
		}
		throw new IllegalArgumentException("There is no key " + key);
	}

	/** The record of a fixed window, from the node that holds it. */
	public static List<Object> numbers(String key) {
		for (RedisServer node : CLUSTER.nodes()) {
			try (Jedis jedis = new Jedis(node.host(), node.port())) {
				if (allKeys(jedis).contains(key)) {
					String numbers = "return { struct.unpack('<I5I7I7I2', redis.call('GET', KEYS[1])) }";
					return List.<Object>copyOf((List<?>) jedis.eval(numbers, 1, key)).subList(0, 4);
				}
			}
		}
		throw new IllegalArgumentException("There is no key " + key);
	}

	/** The scores of a sorted set, in order, from the node that holds it. */
	public static List<Long> scores(String key) {
		List<Long> scores = new ArrayList<>();
		for (RedisServer node : CLUSTER.nodes()) {
			try (Jedis jedis = new Jedis(node.host(), node.port())) {
				if (allKeys(jedis).contains(key)) {
					jedis.zrangeWithScores(key, 0, -1).forEach((tuple) -> scores.add((long) tuple.getScore()));
				}
			}
		}
		return scores;
	}

}
