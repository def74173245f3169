package dev.ratelimit.limiter.sync;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Mode;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Limits;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.redis.InjectedTime;
import dev.ratelimit.store.redis.SharedRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.Jedis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Three instances that count synced rules on one real Redis: how often they call it, and
 * what arrives there. Redis itself counts the calls. Its clock and that of the instances
 * stand still unless a test moves them.
 */
@ExtendWith(SharedRedis.class)
class SyncedRedisTests {

	private static final int INSTANCES = 3;

	private static final int TENANTS = 25;

	private static final int CALLS_PER_SECOND = 1000;

	private static final Pattern SCRIPTS = Pattern.compile("cmdstat_evalsha:calls=(\\d+)");

	/** The sum of the counts under all keys. */
	private static final String TOTAL = """
			local total = 0
			for _, key in ipairs(redis.call('KEYS', ARGV[1] .. ':*')) do
				total = total + struct.unpack('<I7', redis.call('GET', key), 13)
			end
			return total
			""";

	private final MovableClock clock = new MovableClock();

	private final CountingStore store = new CountingStore(
			InjectedTime.store(SharedRedis.runner(), this.clock, SharedRedis.PREFIX),
			InjectedTime.counter(SharedRedis.runner(), this.clock, SharedRedis.PREFIX));

	private final List<SyncedInstance> instances = Stream
		.generate(() -> new SyncedInstance(this.store, this.clock, SyncedInstance.oneOf(INSTANCES)))
		.limit(INSTANCES)
		.toList();

	private final Jedis redis = SharedRedis.connect(SharedRedis.standalone());

	@AfterEach
	void disconnect() {
		this.redis.close();
	}

	private static Limit limit(String rule, String threshold) {
		return limit(Algorithm.FIXED_WINDOW, rule, threshold);
	}

	private static Limit limit(Algorithm algorithm, String rule, String threshold) {
		return Limits.of(RLConfig.builder(rule).algorithm(algorithm).mode(Mode.SYNCED).thresholds(threshold));
	}

	/** How often Redis ran a script since its statistics were reset. */
	private long scripts() {
		Matcher calls = SCRIPTS.matcher(this.redis.info("commandstats"));
		return calls.find() ? Long.parseLong(calls.group(1)) : 0;
	}

	private long total() {
		return (Long) this.redis.eval(TOTAL, List.of(), List.of(SharedRedis.PREFIX));
	}

	/** What is due before the interval is over, and what is due then. */
	private void endInterval() {
		this.instances.forEach(SyncedInstance::hurry);
		this.instances.forEach(SyncedInstance::round);
		this.clock.advance(Duration.ofSeconds(1));
	}

	@Test
	@DisplayName("0.26, 0.27: 25 tenants, 1000 calls a second and three instances: 75 Redis calls a second, none by a decision")
	void theLoadOfTheArticle() {
		Limit limit = limit("get-product", "1000/10s");
		decideOneSecond(limit, 0);
		endInterval();
		this.redis.configResetStat();
		for (int second = 1; second <= 5; second++) {
			decideOneSecond(limit, second);
			assertThat(scripts()).as("no decision has called Redis").isEqualTo((second - 1L) * INSTANCES * TENANTS);
			endInterval();
			assertThat(scripts()).isEqualTo((long) second * INSTANCES * TENANTS);
		}
		assertThat(total()).isEqualTo(6 * CALLS_PER_SECOND);
	}

	private void decideOneSecond(Limit limit, int second) {
		for (int i = 0; i < CALLS_PER_SECOND; i++) {
			int number = second * CALLS_PER_SECOND + i;
			Subject tenant = new Subject("org" + (number / INSTANCES) % TENANTS);
			assertThat(this.instances.get(number % INSTANCES).admitted(limit, tenant, 1)).isOne();
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 5, 100, 2000 })
	@DisplayName("0.16: a key costs Redis one call per instance and interval, however many requests it has")
	void aKeyCostsOneCallPerInterval(int requests) {
		Limit limit = limit("key", "100000/1h");
		Subject subject = new Subject("s");
		this.instances.forEach((instance) -> instance.admitted(limit, subject, 1));
		endInterval();
		this.redis.configResetStat();
		for (int interval = 1; interval <= 3; interval++) {
			for (SyncedInstance instance : this.instances) {
				assertThat(instance.admitted(limit, subject, requests)).isEqualTo(requests);
			}
			endInterval();
			assertThat(scripts()).isEqualTo((long) interval * INSTANCES);
		}
		assertThat(total()).isEqualTo(INSTANCES * (1 + 3L * requests));
	}

	@Test
	@DisplayName("0.22: an instance counts at most 20,000 subjects of a limit, and what it evicts arrives in Redis")
	void whatIsEvictedArrivesInRedis() {
		int bound = 20_000;
		int subjects = bound + 2000;
		Limit limit = limit("evicted", "100000/1h");
		SyncedInstance instance = this.instances.get(0);
		for (int i = 0; i < subjects; i += 500) {
			List<Subject> next = IntStream.range(i, i + 500).mapToObj((n) -> new Subject("s" + n)).toList();
			assertThat(instance.admittedOf(limit, next)).as("in Redis").isEqualTo(500);
			assertThat(instance.admittedOf(limit, next)).as("in memory").isEqualTo(500);
		}
		assertThat(total()).isEqualTo(subjects);
		instance.hurry();
		assertThat(total()).as("one more of each evicted subject").isEqualTo(subjects + subjects - bound);
		instance.close();
		assertThat(total()).isEqualTo(2L * subjects);
		this.redis.flushAll();
	}

	@ParameterizedTest
	@CsvSource({ "FIXED_WINDOW, 1m, 1", "FIXED_WINDOW, 1d, 1", "SLIDING_WINDOW_COUNTER, 1m, 2",
			"SLIDING_WINDOW_COUNTER, 1d, 2" })
	@DisplayName("0.23: after every sync the key expires, 0.1 s after the one or two windows that its counts matter")
	void theKeyExpires(Algorithm algorithm, String window, int windows) {
		Limit limit = limit(algorithm, "expiry-" + window, "100000/" + window);
		Duration longest = limit.thresholds().get(0).windowLength().multipliedBy(windows).plusMillis(100);
		Subject subject = new Subject("s");
		for (int interval = 0; interval < 5; interval++) {
			this.instances.forEach((instance) -> instance.admitted(limit, subject, 10));
			endInterval();
			String key = this.redis.keys(SharedRedis.PREFIX + ":*").iterator().next();
			assertThat(this.redis.pttl(key)).isBetween(longest.toMillis() / 2, longest.toMillis());
		}
	}

	@Test
	@DisplayName("0.25: 50 threads make 1000 calls each while three instances sync: Redis has counted 50,000")
	void noUpdateIsLost() throws Exception {
		Limit limit = limit("lost-update", "1000000/1h");
		Subject subject = new Subject("s");
		ExecutorService threads = Executors.newFixedThreadPool(50 + 1);
		try {
			AtomicBoolean spending = new AtomicBoolean(true);
			Future<?> syncing = threads.submit(() -> {
				while (spending.get()) {
					this.instances.forEach(SyncedInstance::round);
					this.instances.forEach(SyncedInstance::hurry);
				}
			});
			List<Callable<Long>> spenders = new ArrayList<>();
			for (int i = 0; i < 50; i++) {
				SyncedInstance instance = this.instances.get(i % INSTANCES);
				spenders.add(() -> instance.admitted(limit, subject, 1000));
			}
			for (Future<Long> admitted : threads.invokeAll(spenders)) {
				assertThat(admitted.get()).isEqualTo(1000);
			}
			spending.set(false);
			syncing.get();
		}
		finally {
			threads.shutdownNow();
		}
		this.instances.forEach(SyncedInstance::close);
		assertThat(total()).isEqualTo(50_000);
	}

}
