package dev.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.store.InstanceRank;
import dev.ratelimit.store.InstanceRegistry;
import dev.ratelimit.store.redis.resp.RedisConnections;
import dev.ratelimit.store.redis.resp.Script;
import dev.ratelimit.store.wire.CallRunner;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.Jedis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The live instances, by the beats of all of them on the store's own clock, which the
 * test moves in the place of Redis.
 */
class RedisInstancesTests {

	private static final String KEY = SharedRedis.PREFIX + ":{instances}";

	private static final String NAMES = KEY + ":names";

	private static final Duration FORGET = Duration.ofMinutes(1);

	private final MovableClock clock = new MovableClock();

	private final InstanceRegistry instances = InjectedTime.instances(SharedRedis.runner(), this.clock);

	private final Jedis redis = SharedRedis.connect(SharedRedis.standalone());

	@AfterEach
	void disconnect() {
		this.redis.del(KEY, NAMES);
		this.redis.close();
	}

	private InstanceRank beat(String instance) {
		return this.instances.beat(instance, FORGET).orElseThrow();
	}

	@Test
	void ranksFollowTheNamesAndNotTheOrderOfArrival() {
		assertThat(beat("b")).isEqualTo(new InstanceRank(0, 1));
		assertThat(beat("c")).isEqualTo(new InstanceRank(1, 2));
		assertThat(beat("a")).isEqualTo(new InstanceRank(0, 3));
		assertThat(beat("b")).isEqualTo(new InstanceRank(1, 3));
		assertThat(beat("c")).isEqualTo(new InstanceRank(2, 3));
	}

	@Test
	void anInstanceWithoutBeatsExpires() {
		beat("a");
		this.clock.advance(FORGET.minusMillis(1));
		assertThat(beat("b")).isEqualTo(new InstanceRank(1, 2));
		this.clock.advance(Duration.ofMillis(1));
		assertThat(beat("b")).isEqualTo(new InstanceRank(0, 1));
	}

	@Test
	void anInstanceThatLeavesIsRemovedAtOnce() {
		beat("a");
		beat("b");
		this.instances.leave("a");
		this.instances.leave("a");
		assertThat(beat("b")).isEqualTo(new InstanceRank(0, 1));
	}

	@Test
	void noInstanceStaysForAsLongAsTheClockStepsBack() {
		beat("a");
		this.clock.advance(Duration.ofHours(-1));
		assertThat(beat("b")).isEqualTo(new InstanceRank(0, 1));
		assertThat(beat("a")).isEqualTo(new InstanceRank(0, 2));
	}

	@Test
	void theKeyExpiresWithTheLastInstance() {
		beat("a");
		assertThat(this.redis.pttl(KEY)).isBetween(1L, FORGET.toMillis());
		assertThat(this.redis.pttl(NAMES)).isBetween(1L, FORGET.toMillis());
	}

	@ParameterizedTest
	@ValueSource(strings = { KEY, NAMES })
	void aValueOfAnotherTypeIsReplaced(String key) {
		beat("a");
		this.redis.set(key, "not ours");
		assertThat(beat("b").instances()).isEqualTo(key.equals(NAMES) ? 2 : 1);
		assertThat(beat("a")).isEqualTo(new InstanceRank(0, 2));
		assertThat(this.redis.pttl(key)).isPositive();
	}

	@Test
	void instancesOfAnOlderVersionCountToo() {
		beat("b");
		report("a");
		assertThat(beat("b")).isEqualTo(new InstanceRank(1, 2));
		this.redis.del(NAMES);
		assertThat(beat("b")).isEqualTo(new InstanceRank(1, 2));
		this.redis.zrem(KEY, "a");
		report("c");
		this.redis.del(NAMES);
		assertThat(beat("b")).as("when the names have expired").isEqualTo(new InstanceRank(0, 2));
	}

	/** As an instance of an older version does, which does not know the names. */
	private void report(String instance) {
		double millis = (double) Math.floorDiv(this.clock.micros(), 1000L);
		this.redis.zadd(KEY, millis, instance);
	}

	@Test
	void whileRedisHasNoMemoryLeftInstancesStillReport() {
		try (RedisServer server = RedisServer.start("--maxmemory", "100kb", "--maxmemory-policy", "noeviction");
				CallRunner runner = new RedisConnections(TestConnectionDetails.standalone(server.address()),
						SharedRedis.settings(2))
					.open()) {
			assertThat(RedisInstances.shipped(runner, SharedRedis.PREFIX).beat("a", FORGET))
				.contains(new InstanceRank(0, 1));
		}
	}

	@Test
	void aForeignListOfNamesKeepsNoInstance() {
		beat("a");
		beat("b");
		this.redis.set(NAMES, "not ours");
		this.instances.leave("a");
		assertThat(this.redis.zrange(KEY, 0, -1)).containsExactly("b");
	}

	@Test
	@DisplayName("a beat among a thousand instances runs nine commands, and reads no list of the others")
	void aBeatDoesNotReadTheOthers() {
		for (int i = 0; i < 1000; i++) {
			beat("i%03d".formatted(i));
		}
		this.redis.configResetStat();
		assertThat(beat("i500")).isEqualTo(new InstanceRank(500, 1000));
		String commands = this.redis.info("commandstats");
		assertThat(commands)
			.contains("cmdstat_zadd:calls=2,", "cmdstat_zcard:calls=2,", "cmdstat_zrank:calls=1,",
					"cmdstat_zrange:calls=2,", "cmdstat_pexpire:calls=2,")
			.doesNotContain("cmdstat_zrem:", "cmdstat_zrangebyscore:");
	}

	@Test
	void onlyTheClockIsExchangedInTests() {
		assertThat(Script.load(RedisInstances.BEAT, Script.CLOCK).text()).asString(StandardCharsets.UTF_8)
			.isEqualTo(Script.read(RedisInstances.BEAT) + Script.read("Clock.lua"));
		assertThat(Script.read(RedisInstances.BEAT)).doesNotContain("TIME'");
	}

	@Test
	void instancesWithTheSamePrefixMeetInACluster() {
		try (RedisStore one = InjectedTime.shipped(SharedRedis.clusterRunner());
				RedisStore other = InjectedTime.shipped(SharedRedis.clusterRunner())) {
			InstanceRegistry registry = one.capabilities().instances().orElseThrow();
			assertThat(registry.beat("x", FORGET)).contains(new InstanceRank(0, 1));
			assertThat(other.capabilities().instances().orElseThrow().beat("y", FORGET))
				.contains(new InstanceRank(1, 2));
			registry.leave("x");
			registry.leave("y");
		}
	}

	@Test
	void noRankIsReturnedWhileRedisIsAway() {
		RedisServer server = OwnRedis.server();
		try (CallRunner runner = new RedisConnections(TestConnectionDetails.standalone(server.address()),
				SharedRedis.settings(2))
			.open()) {
			RedisInstances away = RedisInstances.shipped(runner, SharedRedis.PREFIX);
			assertThat(away.beat("a", FORGET)).isPresent();
			server.kill();
			assertThat(away.beat("a", FORGET)).isEqualTo(Optional.empty());
			away.leave("a");
			assertThat(runner.lastFailure())
				.hasValueSatisfying((failure) -> assertThat(failure).startsWith(server.address() + ": "));
		}
	}

}
