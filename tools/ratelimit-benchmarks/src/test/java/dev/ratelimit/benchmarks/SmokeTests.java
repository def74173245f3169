package dev.ratelimit.benchmarks;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;

import dev.ratelimit.embeddedredis.RedisCluster;
import dev.ratelimit.embeddedredis.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The benchmarks measure what they claim: every limiter admits the requests within its
 * quota and refuses the rest, and the reports are written.
 */
class SmokeTests {

	private static final Workload FEW = new Workload("few", "one key", List.of("client"),
			new Quota(5, Duration.ofSeconds(1000)), 1, false, OptionalInt.empty());

	private static RedisServer server;

	private static Redis redis;

	@BeforeAll
	static void start() {
		server = RedisServer.start("--save", "");
		redis = new Redis(server.host(), server.port());
	}

	@AfterAll
	static void stop() {
		server.close();
	}

	@BeforeEach
	void clearRedis() {
		try (Jedis admin = redis.connect()) {
			admin.flushAll();
		}
	}

	/**
	 * All limiters except the article's script, which loses requests of the same
	 * millisecond.
	 */
	static List<Peer> limiters() {
		List<Peer> all = new ArrayList<>(Ours.all());
		all.addAll(Peers.all());
		all.removeIf((peer) -> peer.title().startsWith("the article's script"));
		all.addAll(HttpPeers.all());
		return all;
	}

	@ParameterizedTest
	@MethodSource("limiters")
	void everyLimiterRefusesTheSixthRequest(Peer peer) {
		try (Contender contender = peer.open(redis, FEW)) {
			for (int i = 0; i < 5; i++) {
				assertThat(contender.tryAcquire("client")).as(peer.title()).isTrue();
			}
			assertThat(contender.tryAcquire("client")).as(peer.title()).isFalse();
		}
	}

	@Test
	void aRunIsReported(@TempDir Path directory) throws Exception {
		Suite suite = new Suite(FEW, Floors.INCR, List.of(Floors.EMPTY_SCRIPT));
		List<Result> results = run(suite);
		assertThat(results).singleElement().satisfies((result) -> {
			assertThat(result.timesFloor()).isPositive();
			assertThat(result.commands()).isBetween(0.9, 1.5);
		});
		String table = new Report(directory).write(suite, results);
		assertThat(table).contains("EVALSHA of `return 1`");
		assertThat(directory.resolve("few.md")).content().isEqualTo(table);
		assertThat(Files.readString(directory.resolve("few.svg"))).startsWith("<svg").contains("EVALSHA of return 1");
	}

	@Test
	void decisionsInMemcachedAreReportedBesideThoseInRedis(@TempDir Path directory) throws Exception {
		Optional<Memcached> started = Memcached.start();
		Assumptions.assumeTrue(started.isPresent(), "There is no memcached on the PATH");
		try (Memcached server = started.get()) {
			Suite all = Suite.memcached(server);
			for (Peer peer : all.peers().subList(1, all.peers().size())) {
				for (int opened = 0; opened < 2; opened++) {
					try (Contender contender = peer.open(redis, FEW)) {
						assertThat(IntStream.range(0, 6).filter((i) -> contender.tryAcquire("client"))).as(peer.title())
							.hasSize((opened == 0 || peer.title().contains("memcached")) ? 5 : 0);
					}
				}
			}
			Suite suite = new Suite(FEW, all.floor(), all.only(List.of("INCR", "memcached, fixed-window")).peers());
			List<Result> results = run(suite);
			assertThat(results).hasSize(2).allSatisfy((result) -> assertThat(result.timesFloor()).isPositive());
			assertThat(new Report(directory).write(suite, results)).contains(
					"| x `ma` over a connection per thread | x INCR through pooled Jedis | p50/p99 us | admitted | heap bytes |",
					"| [ratelimit-starter-memcached, fixed-window](memcached.md) |")
				.doesNotContain("Redis CPU");
		}
	}

	@Test
	void aPacedRunKeepsItsPace(@TempDir Path directory) throws Exception {
		Workload slow = new Workload("slow", "one key", List.of("client"), new Quota(5, Duration.ofSeconds(1000)), 2,
				false, OptionalInt.of(100));
		Suite suite = new Suite(slow, Floors.INCR, List.of(Floors.EMPTY_SCRIPT));
		List<Result> results = run(suite);
		assertThat(results).singleElement().satisfies((result) -> assertThat(result.perSecond()).isLessThan(200));
		assertThat(new Report(directory).write(suite, results)).contains("p99 x INCR");
	}

	@Test
	void oneHttpFloorAdmitsAndTheOtherRefuses() {
		try (Contender open = HttpPeers.NO_LIMITER.open(redis, FEW);
				Contender refusing = HttpPeers.ALWAYS_REFUSED.open(redis, FEW)) {
			assertThat(open.tryAcquire("client")).isTrue();
			assertThat(refusing.tryAcquire("client")).isFalse();
		}
	}

	@Test
	void everyContenderCountsInACluster() {
		try (RedisCluster cluster = RedisCluster.start(3, 0, "--save", "")) {
			Redis masters = new Redis(
					cluster.nodes().stream().map((node) -> new HostAndPort(node.host(), node.port())).toList());
			assertFiveOfSixAreAdmitted(masters, Suite.cluster());
			try (RedisAdmin admin = masters.admin()) {
				assertThat(admin.usage().commands()).isGreaterThan(24);
				admin.flush();
			}
			assertFiveOfSixAreAdmitted(masters, Suite.clusterWithTwoRules());
		}
	}

	private static void assertFiveOfSixAreAdmitted(Redis masters, Suite suite) {
		for (Peer peer : suite.peers()) {
			try (Contender contender = peer.open(masters, FEW)) {
				assertThat(IntStream.range(0, 6).filter((i) -> contender.tryAcquire("client"))).as(peer.title())
					.hasSize(5);
			}
		}
	}

	private static List<Result> run(Suite suite) throws InterruptedException {
		return new PairedRounds(redis, 1, Duration.ofMillis(100), (format, arguments) -> {
		}).run(suite);
	}

}
