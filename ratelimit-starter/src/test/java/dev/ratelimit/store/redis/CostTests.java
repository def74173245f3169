package dev.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.ratelimit.fixture.Heap;
import dev.ratelimit.fixture.Patience;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLConfigBuilder;
import dev.ratelimit.rule.RLThreshold;
import dev.ratelimit.rule.Refill;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Limits;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.SettlementResult;
import dev.ratelimit.store.redis.resp.Script;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.Jedis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a decision costs: commands in Redis and bytes on the wire, exactly.
 */
@ExtendWith(SharedRedis.class)
class CostTests {

	private static final Pattern CALLS = Pattern.compile("cmdstat_([a-z|]+):calls=(\\d+)");

	private static final Script TAKE = AlgorithmScripts.load().get(StoredFormat.SLIDING_WINDOW_LOG).take();

	private final Limit limit = Limits.of("cost", "2/60s");

	private final TcpProxy proxy = TcpProxy.to(SharedRedis.standalone().port());

	private final RedisStore store = SharedRedis.store(TestConnectionDetails.standalone(this.proxy.address()),
			SharedRedis.SETTINGS);

	private final Jedis redis = SharedRedis.connect(SharedRedis.standalone());

	@BeforeEach
	void connectAndLoadTheScripts() {
		AcquireRequest warmUp = StoreRequests.request(this.limit, "warm-up");
		this.store.acquire(List.of(warmUp), Patience.LONG).await();
		this.store.settle(List.of(Settlement.release(new AcquiredPermits(warmUp))), Patience.LONG).await();
		this.proxy.reset();
		this.redis.configResetStat();
	}

	@AfterEach
	void disconnect() {
		this.store.close();
		this.proxy.close();
		this.redis.close();
	}

	@Test
	void aFirstAdmissionIsOneEvalshaOfSixCommands() {
		StoreRequests.acquire(this.store, this.limit, "a");
		assertThat(commands())
			.isEqualTo(Map.of("evalsha", 1, "time", 1, "zcount", 1, "zcard", 1, "pttl", 1, "zadd", 1, "pexpire", 1));
	}

	@Test
	void anotherAdmissionCountsEachWindowOnce() {
		Limit windows = Limits.of("cost-windows", "9/60s", "99/600s");
		StoreRequests.acquire(this.store, windows, "a");
		this.redis.configResetStat();
		StoreRequests.acquire(this.store, windows, "a");
		assertThat(commands())
			.isEqualTo(Map.of("evalsha", 1, "time", 1, "zcount", 2, "zcard", 1, "pttl", 1, "zadd", 1));
	}

	@Test
	void oldEntriesAreRemovedByOneMoreCommand() {
		Limit three = Limits.of("cost-old", "3/60s");
		StoreRequests.acquire(this.store, three, "a");
		this.redis.zadd(StoreRequests.key(StoreRequests.request(three, "a")), 1, "old");
		this.redis.configResetStat();
		StoreRequests.acquire(this.store, three, "a");
		assertThat(commands()).isEqualTo(
				Map.of("evalsha", 1, "time", 1, "zcount", 1, "zcard", 1, "zremrangebyscore", 1, "pttl", 1, "zadd", 1));
	}

	@Test
	void theLastPermitOfAWindowTakesOneMoreCommand() {
		StoreRequests.acquire(this.store, this.limit, "a");
		this.redis.configResetStat();
		StoreRequests.acquire(this.store, this.limit, "a");
		assertThat(commands())
			.isEqualTo(Map.of("evalsha", 1, "time", 1, "zcount", 1, "zcard", 1, "pttl", 1, "zadd", 1, "zrange", 1));
	}

	@Test
	void anExpiryThatIsTooNearOrTooFarIsRenewed() {
		String key = StoreRequests.key(StoreRequests.request(this.limit, "a"));
		for (long millis : new long[] { 60_000, 3_600_000 }) {
			this.redis.del(key);
			StoreRequests.acquire(this.store, this.limit, "a");
			assertThat(this.redis.pttl(key)).isBetween(70_000L, 75_125L);
			this.redis.pexpire(key, millis);
			StoreRequests.acquire(this.store, this.limit, "a");
			assertThat(this.redis.pttl(key)).isBetween(70_000L, 75_125L);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "TOKEN_BUCKET", "LEAKY_BUCKET" })
	void aBucketKeepsNoExpiryOfARuleThatHasChanged(Algorithm algorithm) {
		RLThreshold rate = new RLThreshold(5, Duration.ofMinutes(1));
		RLConfigBuilder rule = RLConfig.builder("cost-changed").algorithm(algorithm);
		StoreRequests.acquire(this.store, Limits.of(rule.thresholds(List.of(rate.withBurst(1_000_000)))), "a");
		Limit small = Limits.of(rule.thresholds(List.of(rate.withBurst(5))));
		StoreRequests.acquire(this.store, small, "a");
		assertThat(this.redis.pttl(StoreRequests.key(StoreRequests.request(small, "a")))).isBetween(70_000L, 75_125L);
	}

	@Test
	void aRefusalOnlyReads() {
		StoreRequests.acquire(this.store, this.limit, "a");
		StoreRequests.acquire(this.store, this.limit, "a");
		this.redis.configResetStat();
		assertThat(StoreRequests.isAdmitted(StoreRequests.acquire(this.store, this.limit, "a"))).isFalse();
		assertThat(commands())
			.isEqualTo(Map.of("evalsha", 1, "time", 1, "zrange", 2, "zcount", 1, "zcard", 1, "zscore", 1));
	}

	@ParameterizedTest
	@CsvSource({ "TOKEN_BUCKET, CONTINUOUS", "TOKEN_BUCKET, INTERVAL", "LEAKY_BUCKET, CONTINUOUS" })
	void aBucketIsReadOnceAndWrittenOnceWhateverTheNumberOfItsWindows(Algorithm algorithm, Refill refill) {
		Limit bucket = Limits
			.of(RLConfig.builder("cost-bucket").algorithm(algorithm).refill(refill).thresholds("1/60s", "5/600s"));
		StoreRequests.acquire(this.store, bucket, "warm-up");
		this.redis.configResetStat();
		AcquireRequest request = StoreRequests.request(bucket, "a");
		AcquireResult result = StoreRequests.acquire(this.store, request);
		assertThat(commands()).isEqualTo(Map.of("evalsha", 1, "time", 1, "get", 1, "set", 1));
		this.redis.configResetStat();
		assertThat(StoreRequests.isAdmitted(StoreRequests.acquire(this.store, bucket, "a"))).isFalse();
		assertThat(commands()).isEqualTo(Map.of("evalsha", 1, "time", 1, "get", 1));
		AcquiredPermits taken = new AcquiredPermits(request, ((AcquireResult.Admitted) result).receipts());
		assertThat(this.store.settle(List.of(Settlement.release(taken)), Patience.LONG).await())
			.containsExactly(SettlementResult.ACKNOWLEDGED);
		assertThat(StoreRequests.isAdmitted(StoreRequests.acquire(this.store, bucket, "a"))).isTrue();
	}

	@Test
	void aReleaseIsOneEvalshaOfOneCommand() {
		AcquireRequest request = StoreRequests.request(this.limit, "a");
		this.store.acquire(List.of(request), Patience.LONG).await();
		this.redis.configResetStat();
		this.store.settle(List.of(Settlement.release(new AcquiredPermits(request))), Patience.LONG).await();
		assertThat(commands()).isEqualTo(Map.of("evalsha", 1, "zrem", 1));
	}

	@Test
	@DisplayName("1.12, E7: one EVALSHA per rule, whatever the number of its windows, and nothing else on the wire")
	void theFrameHoldsTheKeyAndOneReadyStringPerArgument() {
		Limit windows = Limits.of("frame", "500/2s", "2000/10s", "10000/60s");
		AcquireRequest request = StoreRequests.request(windows, "i10.0.0.1", 3);
		this.store.acquire(List.of(request), Patience.LONG).await();
		assertThat(this.proxy.requests()).isEqualTo(frame("EVALSHA", new String(TAKE.sha(), StandardCharsets.US_ASCII),
				"1", "rl:test:{frame:i10.0.0.1}:l1", request.permit().text(), "3", "60100", "0", "500", "2000000",
				"2000", "10000000", "10000", "60000000"));
		assertThat(this.proxy.responses())
			.isEqualTo("*9\r\n:497\r\n:2000000\r\n:0\r\n:1997\r\n:10000000\r\n:0\r\n:9997\r\n:60000000\r\n:0\r\n");
	}

	@Test
	void aDecisionOnOneWindowSends173BytesAndReceives23() {
		StoreRequests.acquire(this.store, this.limit, "i10.0.0.1");
		assertThat(this.proxy.requests()).hasSize(173);
		assertThat(this.proxy.responses()).hasSize(23);
	}

	@Test
	void aDecisionCostsTheHeapOfFewObjects() {
		assertThat(Heap.bytesOf(() -> StoreRequests.acquire(this.store, this.limit, "i10.0.0.1")))
			.as("where nothing is compiled")
			.isLessThan(1500);
	}

	private static String frame(String... arguments) {
		StringBuilder frame = new StringBuilder("*" + arguments.length + "\r\n");
		for (String argument : arguments) {
			frame.append("$" + argument.length() + "\r\n" + argument + "\r\n");
		}
		return frame.toString();
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
