package dev.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.ratelimit.fixture.Patience;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Limits;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.SettlementResult;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.params.SetParams;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What counters store under their key, and which commands that takes.
 */
@ExtendWith(SharedRedis.class)
class CounterKeyTests {

	private static final Pattern CALLS = Pattern.compile("cmdstat_([a-z|]+):calls=(\\d+)");

	private final RedisStore store = InjectedTime.shipped(SharedRedis.runner());

	private final Jedis redis = SharedRedis.connect(SharedRedis.standalone());

	@AfterEach
	void disconnect() {
		this.redis.close();
	}

	@ParameterizedTest
	@EnumSource(names = { "FIXED_WINDOW", "SLIDING_WINDOW_COUNTER" })
	@DisplayName("2.7: a decision is one read and one write, a refusal only reads, and nothing is locked")
	void aDecisionIsOneReadAndOneWriteAndARefusalOnlyReads(Algorithm algorithm) {
		Limit limit = Limits.of(algorithm, "commands", "1/400d", "9/300d");
		AcquireRequest request = StoreRequests.request(limit, "a");
		StoreRequests.acquire(this.store, request);
		this.store.settle(List.of(Settlement.release(new AcquiredPermits(request, List.of(2L, 2L)))), Patience.LONG)
			.await();
		this.redis.configResetStat();
		AcquireResult result = StoreRequests.acquire(this.store,
				StoreRequests.request(Limits.of(algorithm, "commands-2", "1/400d"), "a"));
		assertThat(commands()).isEqualTo(Map.of("evalsha", 1, "time", 1, "get", 1, "set", 1));
		assertThat(result).isInstanceOf(AcquireResult.Admitted.class);
		this.redis.configResetStat();
		assertThat(StoreRequests.isAdmitted(StoreRequests.acquire(this.store, limit, "a"))).isFalse();
		assertThat(commands()).isEqualTo(Map.of("evalsha", 1, "time", 1, "get", 1));
	}

	@ParameterizedTest
	@EnumSource(names = { "FIXED_WINDOW", "SLIDING_WINDOW_COUNTER" })
	void aReleaseIsOneReadAndOneWriteAndKeepsTheExpiry(Algorithm algorithm) {
		Limit limit = Limits.of(algorithm, "expiry", "9/400d");
		StoreRequests.acquire(this.store, limit, "a");
		AcquireRequest request = StoreRequests.request(limit, "a");
		List<Long> receipts = ((AcquireResult.Admitted) StoreRequests.acquire(this.store, request)).receipts();
		this.redis.pexpire(StoreRequests.key(request), 5000);
		this.redis.configResetStat();
		assertThat(this.store.settle(List.of(Settlement.release(new AcquiredPermits(request, receipts))), Patience.LONG)
			.await()).containsExactly(SettlementResult.ACKNOWLEDGED);
		assertThat(commands()).isEqualTo(Map.of("evalsha", 1, "get", 1, "set", 1));
		assertThat(this.redis.pttl(StoreRequests.key(request))).isBetween(1L, 5000L);
	}

	@ParameterizedTest
	@EnumSource(names = { "FIXED_WINDOW", "SLIDING_WINDOW_COUNTER" })
	@DisplayName("2.6, E8: a key lives as long as its counters matter, for windows of 1 s to 30 min")
	void aKeyLivesAsLongAsItMatters(Algorithm algorithm) {
		for (Duration window : List.of(Duration.ofSeconds(1), Duration.ofMinutes(1), Duration.ofMinutes(30))) {
			Limit limit = Limits.of(algorithm, "ttl-" + window.toSeconds(), "9/" + window.toSeconds() + "s");
			AcquireRequest request = StoreRequests.request(limit, "a");
			StoreRequests.acquire(this.store, request);
			long horizon = (algorithm == Algorithm.FIXED_WINDOW) ? window.toMillis() : 2 * window.toMillis();
			assertThat(this.redis.pttl(StoreRequests.key(request))).isBetween(horizon - 900, horizon + 100);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "FIXED_WINDOW", "SLIDING_WINDOW_COUNTER" })
	void theExpiryIsSetOnlyWhenAWindowBegins(Algorithm algorithm) {
		AcquireRequest days = StoreRequests.request(Limits.of(algorithm, "kept", "9/400d"), "a");
		AcquireRequest millis = StoreRequests.request(Limits.of(algorithm, "renewed", "9/1ms", "9/400d"), "a");
		for (AcquireRequest request : List.of(days, millis)) {
			StoreRequests.acquire(this.store, request);
			this.redis.pexpire(StoreRequests.key(request), 5000);
		}
		awaitTheNextMilli();
		StoreRequests.acquire(this.store, days);
		StoreRequests.acquire(this.store, millis);
		assertThat(this.redis.pttl(StoreRequests.key(days))).isBetween(1L, 5000L);
		assertThat(this.redis.pttl(StoreRequests.key(millis))).isGreaterThan(Duration.ofDays(399).toMillis());
	}

	private void awaitTheNextMilli() {
		long start = micros(this.redis.time()) / 1000;
		long now;
		do {
			now = micros(this.redis.time()) / 1000;
		}
		while (now == start);
	}

	private static long micros(List<String> time) {
		return Long.parseLong(time.get(0)) * 1_000_000 + Long.parseLong(time.get(1));
	}

	@ParameterizedTest
	@EnumSource(names = { "FIXED_WINDOW", "SLIDING_WINDOW_COUNTER" })
	void foreignAndDamagedValuesCountAsNothing(Algorithm algorithm) {
		Limit limit = Limits.of(algorithm, "corrupt", "9/400d", "9/300d");
		AcquireRequest request = StoreRequests.request(limit, "a", 2);
		StoreRequests.acquire(this.store, request);
		byte[] key = StoreRequests.key(request).getBytes(StandardCharsets.UTF_8);
		byte[] stored = this.redis.get(key);
		List<byte[]> values = new ArrayList<>(
				List.of(new byte[0], "7".getBytes(StandardCharsets.UTF_8), "corrupt".getBytes(StandardCharsets.UTF_8),
						new byte[] { (byte) 0xc1 }, new byte[] { (byte) 0xdd, 0x7f, 0x7f, 0x7f, 0x7f }));
		for (int length = 1; length < stored.length; length++) {
			values.add(Arrays.copyOf(stored, length));
		}
		for (byte[] value : values) {
			this.redis.set(key, value, SetParams.setParams().px(60_000));
			assertThat(this.store
				.settle(List.of(Settlement.release(new AcquiredPermits(request, List.of(2L, 2L)))), Patience.LONG)
				.await()).hasSize(1);
			AcquireResult result = StoreRequests.acquire(this.store, request);
			assertThat(result).as(Arrays.toString(value)).isInstanceOf(AcquireResult.Admitted.class);
			assertThat(((AcquireResult.Admitted) result).usage().get(1).remaining()).isEqualTo(7);
		}
	}

	private Map<String, Integer> commands() {
		Map<String, Integer> commands = new TreeMap<>();
		Matcher matcher = CALLS.matcher(this.redis.info("commandstats"));
		while (matcher.find()) {
			commands.put(matcher.group(1), Integer.valueOf(matcher.group(2)));
		}
		commands.remove("config|resetstat");
		commands.remove("info");
		return commands;
	}

}
