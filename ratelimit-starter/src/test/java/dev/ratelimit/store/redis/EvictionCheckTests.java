package dev.ratelimit.store.redis;

import java.util.List;
import java.util.Optional;

import dev.ratelimit.embeddedredis.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.Jedis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A Redis that may evict counters is reported, if its user may read the settings.
 */
class EvictionCheckTests {

	private static final RedisServer SERVER = RedisServer.start("--maxmemory", "100mb");

	private final Jedis admin = SharedRedis.connect(SERVER);

	@AfterEach
	void disconnect() {
		this.admin.close();
	}

	@AfterAll
	static void stop() {
		SERVER.close();
	}

	private Optional<List<String>> concerns(TestConnectionDetails details) {
		try (RedisStore store = SharedRedis.store(details, SharedRedis.SETTINGS)) {
			return store.capabilities().diagnostics().concerns().get();
		}
	}

	private Optional<List<String>> concerns() {
		return concerns(TestConnectionDetails.standalone(SERVER.address()));
	}

	@ParameterizedTest
	@ValueSource(strings = { "allkeys-lru", "allkeys-random", "volatile-lfu", "volatile-ttl" })
	void aPolicyThatEvictsKeysThatExpireIsAConcern(String policy) {
		this.admin.configSet("maxmemory-policy", policy);
		assertThat(concerns()).hasValueSatisfying((concerns) -> assertThat(concerns).singleElement()
			.asString()
			.startsWith("Redis at " + SERVER.address() + " may evict counters")
			.contains("maxmemory-policy is " + policy + " and maxmemory 104857600 bytes",
					"Set maxmemory-policy to noeviction"));
	}

	@Test
	void noevictionIsNoConcern() {
		this.admin.configSet("maxmemory-policy", "noeviction");
		assertThat(concerns()).contains(List.of());
	}

	@Test
	void memoryWithoutALimitIsNoConcern() {
		assertThat(SharedRedis.info(SharedRedis.standalone(), "memory")).contains("maxmemory:0");
		try (Jedis redis = SharedRedis.connect(SharedRedis.standalone())) {
			redis.configSet("maxmemory-policy", "allkeys-lru");
			assertThat(concerns(TestConnectionDetails.standalone(SharedRedis.standalone().address())))
				.contains(List.of());
			redis.configSet("maxmemory-policy", "noeviction");
		}
	}

	@Test
	void withoutTheRightToInfoNothingIsReported() {
		this.admin.configSet("maxmemory-policy", "allkeys-lru");
		this.admin.aclSetUser("limiter", "on", ">secret", "~" + SharedRedis.PREFIX + ":*", "+eval", "+evalsha",
				"+client|setname");
		TestConnectionDetails limiter = TestConnectionDetails.standalone(SERVER.address()).as("limiter", "secret");
		assertThat(concerns(limiter)).contains(List.of());
		this.admin.aclSetUser("limiter", "+info");
		assertThat(concerns(limiter)).hasValueSatisfying((concerns) -> assertThat(concerns).hasSize(1));
	}

	@Test
	void theConcernsOfAnUnreachableRedisAreUnknown() {
		assertThat(concerns(TestConnectionDetails.standalone("127.0.0.1:1"))).isEmpty();
	}

}
