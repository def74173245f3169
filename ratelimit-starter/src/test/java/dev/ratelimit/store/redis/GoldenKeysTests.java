package dev.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.ratelimit.fixture.Golden;
import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.fixture.Patience;
import dev.ratelimit.queue.ItemQueue;
import dev.ratelimit.queue.LeasedItem;
import dev.ratelimit.queue.QueuedSubject;
import dev.ratelimit.queue.redis.TimedQueues;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Mode;
import dev.ratelimit.rule.OnLimit;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLConfigBuilder;
import dev.ratelimit.rule.Refill;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Limits;
import dev.ratelimit.store.PermitId;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.WaitRange;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.StreamEntryID;
import redis.clients.jedis.resps.StreamEntry;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What Redis stores after histories that are always the same: instances of two versions
 * with the same format count in the same keys while an application is deployed.
 */
class GoldenKeysTests {

	private static final Subject SUBJECT = new Subject("s");

	private final MovableClock clock = new MovableClock();

	private final Jedis redis = SharedRedis.connect(SharedRedis.standalone());

	private int permits;

	@BeforeEach
	void begin() {
		this.redis.flushAll();
	}

	@AfterEach
	void empty() {
		this.redis.flushAll();
		this.redis.close();
	}

	@Test
	void theKeysOfEachAlgorithmAreUnchanged() {
		StringBuilder text = new StringBuilder();
		for (Algorithm algorithm : Algorithm.values()) {
			text.append(history(RLConfig.builder("plain").algorithm(algorithm), Optional.empty()));
		}
		text.append(history(RLConfig.builder("refusals").countRejected(true), Optional.empty()));
		text.append(history(RLConfig.builder("intervals").algorithm(Algorithm.TOKEN_BUCKET).refill(Refill.INTERVAL),
				Optional.empty()));
		Optional<WaitRange> patient = Optional.of(new WaitRange(0, Duration.ofMinutes(10).toMillis() * 1000));
		for (Algorithm algorithm : List.of(Algorithm.SLIDING_WINDOW_LOG, Algorithm.LEAKY_BUCKET)) {
			text.append(history(RLConfig.builder("turns").algorithm(algorithm).onLimit(OnLimit.DELAY), patient));
		}
		text.append(synced());
		Golden.assertUnchanged("redis-keys.txt", text.toString());
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "SLIDING_WINDOW_LOG")
	void instancesWithAnotherFormatCountForThemselves(Algorithm algorithm) {
		Limit limit = Limits.of(algorithm, "deployed", "4/400d");
		RateLimitStore store = InjectedTime.store(SharedRedis.runner(), this.clock, SharedRedis.PREFIX);
		String key = StoreRequests.key(request(limit, 1, Optional.empty()));
		String older = key.substring(0, key.length() - 1) + "1";
		this.redis.set(older, "what an older version has counted");
		assertThat(store.acquire(List.of(request(limit, 4, Optional.empty())), Patience.LONG).await().get(0))
			.isInstanceOf(AcquireResult.Admitted.class);
		assertThat(store.acquire(List.of(request(limit, 1, Optional.empty())), Patience.LONG).await().get(0))
			.isInstanceOf(AcquireResult.Refused.class);
		assertThat(this.redis.get(older)).isEqualTo("what an older version has counted");
	}

	/**
	 * Two permits, one that is released, more than there are, one refusal, and one permit
	 * later.
	 */
	private String history(RLConfigBuilder builder, Optional<WaitRange> turn) {
		RLConfig rule = builder.thresholds("4/60s", "6/600s").build();
		Limit limit = Limits.of(rule);
		try (RateLimitStore store = InjectedTime.store(SharedRedis.runner(), this.clock, SharedRedis.PREFIX)) {
			take(store, limit, 2, turn);
			this.clock.advanceMicros(1_000_001);
			AcquireRequest released = request(limit, 1, Optional.empty());
			if (store.acquire(List.of(released), Patience.LONG)
				.await()
				.get(0) instanceof AcquireResult.Admitted admitted) {
				store
					.settle(List.of(Settlement.release(new AcquiredPermits(released, admitted.receipts()))),
							Patience.LONG)
					.await();
			}
			take(store, limit, 2, turn);
			take(store, limit, 1, turn);
			this.clock.advance(Duration.ofSeconds(61));
			take(store, limit, 1, turn);
		}
		return "== " + rule.counting().algorithm().text() + ", " + rule.id() + "\n" + stored();
	}

	private void take(RateLimitStore store, Limit limit, long cost, Optional<WaitRange> turn) {
		store.acquire(List.of(request(limit, cost, turn)), Patience.LONG).await();
	}

	private AcquireRequest request(Limit limit, long cost, Optional<WaitRange> turn) {
		return new AcquireRequest(limit, SUBJECT, cost, new PermitId("p" + ++this.permits), cost, turn);
	}

	/** Permits that are reported to Redis and not requested from it. */
	private String synced() {
		StringBuilder text = new StringBuilder();
		for (Algorithm algorithm : Mode.ModeKind.SYNCED.algorithms()) {
			Limit limit = Limits.of(algorithm, "synced", "4/60s", "6/600s");
			RateLimitStore store = InjectedTime.store(SharedRedis.runner(), this.clock, SharedRedis.PREFIX);
			AcquireRequest request = request(limit, 1, Optional.empty());
			AcquireResult.Admitted admitted = (AcquireResult.Admitted) store.acquire(List.of(request), Patience.LONG)
				.await()
				.get(0);
			InjectedTime.counter(SharedRedis.runner(), this.clock, SharedRedis.PREFIX)
				.count(List.of(new AcquiredPermits(request.of(3), admitted.receipts())), Patience.LONG);
			text.append("== ").append(algorithm.text()).append(", synced\n").append(stored());
		}
		return text.toString();
	}

	@Test
	void theKeysOfTheQueueAreUnchanged() {
		ItemQueue queue = TimedQueues.on(SharedRedis.runner(), this.clock);
		ItemQueue.Room room = new ItemQueue.Room(3, 5, 1 << 20);
		QueuedSubject subject = new QueuedSubject("orders", "hann");
		for (int i = 0; i < 3; i++) {
			queue.enqueue(subject, "i" + i, Map.of("body", new byte[] { 1, 2, 3 }), room, Patience.LONG);
		}
		StringBuilder text = new StringBuilder("== three are kept\n").append(stored(false));
		LeasedItem first = queue.start(subject, "t1", "worker", Duration.ofMinutes(1), Patience.LONG)
			.leased()
			.orElseThrow();
		text.append("== one is held\n").append(stored(false));
		queue.done(first, Duration.ofHours(1), Patience.LONG);
		text.append("== one is done\n").append(stored());
		// Redis names the entries of a stream by its own clock.
		Golden.assertUnchanged("redis-keys-of-the-queue.txt", text.toString().replaceAll("\\b\\d{13}-\\d+", "ENTRY"));
	}

	@Test
	void theKeyOfTheInstancesIsUnchanged() {
		for (String name : List.of("a", "b")) {
			InjectedTime.instances(SharedRedis.runner(), this.clock).beat(name, Duration.ofMinutes(1));
			this.clock.advance(Duration.ofSeconds(1));
		}
		Golden.assertUnchanged("redis-key-of-the-instances.txt", stored());
	}

	private String stored() {
		return stored(true);
	}

	/**
	 * All keys with their contents and, as real time goes on, their approximate expiry:
	 * without the tenth or eighth of a second that they live longer than what they count.
	 */
	private String stored(boolean remove) {
		StringBuilder text = new StringBuilder();
		for (String key : new TreeSet<>(this.redis.keys("*"))) {
			long left = this.redis.pttl(key);
			text.append(key)
				.append((left < 0) ? "" : String.format(Locale.ROOT, " for %d0 s", (left + 9_874) / 10_000))
				.append('\n')
				.append(value(key).indent(4));
		}
		if (remove) {
			this.redis.flushAll();
		}
		return text.append('\n').toString();
	}

	private String value(String key) {
		byte[] raw = key.getBytes(StandardCharsets.UTF_8);
		return switch (this.redis.type(key)) {
			case "string" -> printable(this.redis.get(raw));
			case "hash" -> this.redis.hgetAll(raw)
				.entrySet()
				.stream()
				.map((entry) -> printable(entry.getKey()) + " = " + printable(entry.getValue()))
				.sorted()
				.collect(Collectors.joining("\n"));
			case "zset" -> this.redis.zrangeWithScores(raw, 0, -1)
				.stream()
				.map((entry) -> String.format(Locale.ROOT, "%.0f %s", entry.getScore(),
						printable(entry.getBinaryElement())))
				.collect(Collectors.joining("\n"));
			case "list" -> this.redis.lrange(raw, 0, -1)
				.stream()
				.map(GoldenKeysTests::printable)
				.collect(Collectors.joining("\n"));
			case "stream" -> this.redis.xrange(key, (StreamEntryID) null, (StreamEntryID) null)
				.stream()
				.map(StreamEntry::getFields)
				.map(TreeMap::new)
				.map(Object::toString)
				.collect(Collectors.joining("\n"));
			default -> this.redis.smembers(raw)
				.stream()
				.map(GoldenKeysTests::printable)
				.sorted(Comparator.naturalOrder())
				.collect(Collectors.joining("\n"));
		};
	}

	private static String printable(byte[] bytes) {
		boolean isText = IntStream.range(0, bytes.length).allMatch((i) -> bytes[i] >= ' ' && bytes[i] < 127);
		return isText ? new String(bytes, StandardCharsets.US_ASCII) : "0x" + HexFormat.of().formatHex(bytes);
	}

}
