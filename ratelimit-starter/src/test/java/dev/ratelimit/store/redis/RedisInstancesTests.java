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
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The live instances, by the beats of all of them on the store's own clock, which the
 * test moves in the place of Redis.
 */
class RedisInstancesTests {

	private static final String KEY = SharedRedis.PREFIX + ":{instances}";

	private static final Duration FORGET = Duration.ofMinutes(1);

	private final MovableClock clock = new MovableClock();

	private final InstanceRegistry instances = InjectedTime.instances(SharedRedis.runner(), this.clock);

	private final Jedis redis = SharedRedis.connect(SharedRedis.standalone());

	@AfterEach
	void disconnect() {
		this.redis.del(KEY);
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
	}

	@Test
	void aValueOfAnotherTypeIsReplaced() {
		this.redis.set(KEY, "not ours");
		assertThat(beat("a")).isEqualTo(new InstanceRank(0, 1));
		assertThat(this.redis.pttl(KEY)).isPositive();
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
		try (RedisServer server = RedisServer.start();
				CallRunner runner = new RedisConnections(TestConnectionDetails.standalone(server.address()),
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
