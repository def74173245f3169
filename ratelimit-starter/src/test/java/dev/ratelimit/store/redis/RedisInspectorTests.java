package dev.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.fixture.Patience;
import dev.ratelimit.store.Inspection;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Limits;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.Usage;
import dev.ratelimit.store.redis.resp.ScriptCall;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Protocol;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What only the inspector in Redis promises: a look leaves value and expiry of the key as
 * they are.
 */
@ExtendWith(SharedRedis.class)
class RedisInspectorTests {

	private final RedisStore shipped = InjectedTime.shipped(SharedRedis.runner());

	private final Jedis redis = SharedRedis.connect(SharedRedis.standalone());

	static Stream<Limit> limits() {
		return Limits.ofEveryKind();
	}

	@AfterEach
	void disconnect() {
		this.redis.close();
	}

	private List<Usage> look(Limit limit) {
		return look(this.shipped, limit);
	}

	private static List<Usage> look(RedisStore store, Limit limit) {
		return ((Inspection.Found) store.capabilities()
			.inspector()
			.orElseThrow()
			.peek(limit, new Subject("watched"), Patience.LONG)).usage();
	}

	@ParameterizedTest
	@MethodSource("limits")
	@DisplayName("DUMP and the instant of expiry are the same before and after a look, at a full client too")
	void aLookLeavesValueAndExpiryAsTheyAre(Limit limit) {
		SharedRedis.assumeKnown(Protocol.Command.PEXPIRETIME);
		String key = StoreRequests.key(StoreRequests.request(limit, "watched"));
		look(limit);
		assertThat(this.redis.exists(key)).as("of a client that was never counted").isFalse();
		for (int i = 0; i < 5; i++) {
			StoreRequests.acquire(this.shipped, limit, "watched");
			this.redis.pexpire(key, 60_000);
			byte[] dump = this.redis.dump(key);
			long expiresAtMillis = this.redis.pexpireTime(key);
			look(limit);
			assertThat(this.redis.dump(key)).isEqualTo(dump);
			assertThat(this.redis.pexpireTime(key)).isEqualTo(expiresAtMillis);
			assertThat(this.redis.pttl(key)).isBetween(1L, 60_000L);
		}
		assertThat(look(limit).get(0).remaining()).isZero();
	}

	@ParameterizedTest
	@MethodSource("limits")
	void afterTheClockHasSteppedBackALookChangesNothing(Limit limit) {
		SharedRedis.assumeKnown(Protocol.Command.PEXPIRETIME);
		MovableClock clock = new MovableClock();
		RedisStore store = InjectedTime.store(SharedRedis.runner(), clock, SharedRedis.PREFIX);
		for (int i = 0; i < 3; i++) {
			StoreRequests.acquire(store, limit, "watched");
			clock.advance(Duration.ofSeconds(1));
		}
		String key = this.redis.keys("*").iterator().next();
		byte[] dump = this.redis.dump(key);
		long expiresAtMillis = this.redis.pexpireTime(key);
		clock.advance(Duration.ofMinutes(-5));
		look(store, limit);
		assertThat(this.redis.dump(key)).isEqualTo(dump);
		assertThat(this.redis.pexpireTime(key)).isEqualTo(expiresAtMillis);
	}

	@ParameterizedTest
	@MethodSource("limits")
	void redisRunsALookAsAReadOnlyScript(Limit limit) {
		SharedRedis.assumeKnown(Protocol.Command.EVAL_RO);
		for (int i = 0; i < 5; i++) {
			StoreRequests.acquire(this.shipped, limit, "watched");
		}
		ScriptCall call = new ScriptCallFactory(SharedRedis.PREFIX, AlgorithmScripts.load(), Optional.empty())
			.peek(StoreRequests.request(limit, "watched"));
		List<String> arguments = Stream.concat(call.arguments().stream(), call.limit().stream())
			.map((argument) -> new String(argument, StandardCharsets.US_ASCII))
			.toList();
		String script = new String(call.script().text(), StandardCharsets.UTF_8);
		String key = new String(call.key(), StandardCharsets.UTF_8);
		// EVAL_RO fails at the first command that may write.
		assertThat(this.redis.evalReadonly(script, List.of(key), arguments))
			.asInstanceOf(InstanceOfAssertFactories.LIST)
			.startsWith(0L);
	}

	@ParameterizedTest
	@MethodSource("limits")
	void foreignValuesCountAsNothingAndStay(Limit limit) {
		String key = StoreRequests.key(StoreRequests.request(limit, "watched"));
		this.redis.hset(key, "somebody", "else's");
		this.redis.pexpire(key, 1000);
		assertThat(look(limit)).containsExactly(new Usage(3, 0, 0), new Usage(7, 0, 0));
		assertThat(this.redis.hgetAll(key)).containsEntry("somebody", "else's");
	}

	@Test
	void aResetLeavesNothing() {
		Limit limit = Limits.of("left", "5/60s");
		StoreRequests.acquire(this.shipped, limit, "watched");
		assertThat(this.shipped.capabilities()
			.inspector()
			.orElseThrow()
			.reset(limit, new Subject("watched"), Patience.LONG)).isEmpty();
		assertThat(this.redis.keys("*")).isEmpty();
	}

	@Test
	void anUnreachableStoreIsReported() {
		Limit limit = Limits.of("away", "5/60s");
		try (RedisStore away = SharedRedis.store(TestConnectionDetails.standalone("127.0.0.1:1"),
				SharedRedis.SETTINGS)) {
			assertThat(
					away.capabilities().inspector().orElseThrow().peek(limit, new Subject("a"), Duration.ofMillis(50)))
				.isEqualTo(new Inspection.NotAvailable(StoreFailure.UNREACHABLE));
			assertThat(
					away.capabilities().inspector().orElseThrow().reset(limit, new Subject("a"), Duration.ofMillis(50)))
				.contains(StoreFailure.UNREACHABLE);
		}
	}

}
