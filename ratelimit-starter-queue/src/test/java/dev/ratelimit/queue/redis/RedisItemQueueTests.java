package dev.ratelimit.queue.redis;

import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.fixture.FaultProxy;
import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.fixture.Patience;
import dev.ratelimit.queue.Acknowledgement;
import dev.ratelimit.queue.DeadLetterTerms;
import dev.ratelimit.queue.EnqueueResult;
import dev.ratelimit.queue.ItemQueue;
import dev.ratelimit.queue.ItemQueue.NoReply;
import dev.ratelimit.queue.ItemQueue.Nothing;
import dev.ratelimit.queue.ItemQueue.Room;
import dev.ratelimit.queue.LeasedItem;
import dev.ratelimit.queue.QueueStatus;
import dev.ratelimit.queue.QueuedSubject;
import dev.ratelimit.spi.RedisScripts;
import dev.ratelimit.spi.Standing;
import dev.ratelimit.store.Fate;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.redis.ModuleStores;
import dev.ratelimit.store.redis.OwnRedis;
import dev.ratelimit.store.redis.SharedRedis;
import dev.ratelimit.store.redis.TestConnectionDetails;
import dev.ratelimit.store.redis.resp.RedisConnections;
import dev.ratelimit.store.redis.resp.Script;
import dev.ratelimit.store.wire.CallRunner;
import dev.ratelimit.store.wire.NodeCall;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.StreamEntryID;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What only the queue in Redis promises: which keys it stores for how long, and what it
 * replies while Redis is full, damaged or away.
 */
class RedisItemQueueTests {

	private static final String RULE = "orders";

	private static final Duration LEASE = Duration.ofSeconds(30);

	private static final Duration KNOWN = Duration.ofHours(1);

	private static final String START = SharedRedis.PREFIX + ":{orders}:q1:";

	private static final QueuedSubject ANN = new QueuedSubject(RULE, "hann");

	private static final DeadLetterTerms BURIAL = new DeadLetterTerms("age", 3, 1 << 20, KNOWN);

	private static final Room ROOM = new Room(10, 10, 1 << 20);

	private static final Room LARGE = new Room(1000, 1000, 16 << 20);

	private static final Duration WAIT = Patience.LONG;

	private final Jedis redis = SharedRedis.connect(SharedRedis.standalone());

	private final MovableClock clock = new MovableClock();

	private final ItemQueue queue = TimedQueues.on(this.clock);

	@AfterEach
	void empty() {
		this.redis.flushAll();
		this.redis.close();
	}

	private void enqueue(String id) {
		this.queue.enqueue(ANN, id, Map.of("body", new byte[] { 1 }), ROOM, WAIT);
	}

	private LeasedItem start() {
		return this.queue.start(ANN, "t" + this.clock.micros(), "worker", LEASE, WAIT).leased().orElseThrow();
	}

	private Map<String, Long> timesToLive() {
		Map<String, Long> times = new HashMap<>();
		this.redis.keys(START + "*").forEach((key) -> times.put(key, this.redis.pttl(key)));
		return times;
	}

	/** Ignores the states of ended items, which always expire. */
	private void assertHeldForGood() {
		Map<String, Long> times = timesToLive();
		times.keySet().removeIf((key) -> key.startsWith(START + "end:"));
		assertThat(times)
			.containsOnlyKeys(START + "due", START + "items", START + "ages", START + "of:hann", START + "sizes")
			.allSatisfy((key, millis) -> assertThat(millis).as(key).isEqualTo(-1));
	}

	private void assertNothingIsHeld(String... keys) {
		assertThat(timesToLive()).containsOnlyKeys(Stream.of(keys).map(START::concat).toList())
			.allSatisfy((key, millis) -> assertThat(millis).as(key).isBetween(1L, KNOWN.toMillis()));
	}

	@Test
	@DisplayName("only a queue that still holds items has no time to live")
	void keysExpireOnceTheQueueHoldsNoItems() {
		enqueue("a1");
		assertHeldForGood();
		enqueue("a2");
		assertHeldForGood();
		LeasedItem first = start();
		assertHeldForGood();
		this.queue.renew(List.of(first), LEASE, WAIT);
		assertHeldForGood();
		this.queue.postpone(first, Duration.ZERO, true, WAIT);
		assertHeldForGood();
		this.queue.done(start(), KNOWN, WAIT);
		assertHeldForGood();
		this.queue.bury(start(), KNOWN, BURIAL, WAIT);
		assertNothingIsHeld("end:a1", "end:a2", "dead", "dead-bytes");
		this.queue.revive(this.queue.dead(RULE, Optional.empty(), 1, WAIT).orElseThrow().get(0), WAIT);
		assertHeldForGood();
		assertThat(this.redis.keys(START + "*")).as("one pattern finds all").isEqualTo(this.redis.keys("*"));
		this.queue.done(start(), KNOWN, WAIT);
		assertNothingIsHeld("end:a1", "end:a2");
	}

	@Test
	@DisplayName("an item whose lease is reported too late is due again at once, as if it had not been leased")
	void aLeaseThatIsReportedTooLateIsNoAttempt() {
		ItemQueue real = new RedisItemQueue(ModuleStores.scripts(SharedRedis.runner(), SharedRedis.PREFIX));
		try (FaultProxy network = FaultProxy.to(SharedRedis.standalone().port());
				CallRunner far = new RedisConnections(TestConnectionDetails.standalone(network.address()),
						SharedRedis.SETTINGS)
					.open()) {
			ItemQueue delayed = new RedisItemQueue(ModuleStores.scripts(far, SharedRedis.PREFIX));
			assertThat(delayed.start(ANN, "t1", "worker", LEASE, WAIT)).isEqualTo(new Nothing());
			real.enqueue(ANN, "a1", Map.of(), ROOM, WAIT);
			network.inject(FaultProxy.Fault.DELAY, Duration.ofMillis(500));
			assertThat(delayed.start(ANN, "t2", "worker", LEASE, Duration.ofMillis(100))).isEqualTo(new NoReply());
			AtomicReference<LeasedItem> next = new AtomicReference<>();
			Awaitility.await().until(() -> {
				real.start(ANN, "t3", "worker", LEASE, WAIT).leased().ifPresent(next::set);
				return next.get() != null;
			});
			assertThat(next.get().attempt()).isOne();
		}
	}

	@Test
	@DisplayName("a client that an operator deleted no longer counts, whatever else its rule stores")
	void aDeletedClientLeavesNothingBehind() {
		enqueue("a1");
		this.queue.enqueue(new QueuedSubject(RULE, "hbob"), "b1", Map.of(), ROOM, WAIT);
		this.redis.del(START + "of:hann");
		assertThat(this.queue.start(ANN, "t", "worker", LEASE, WAIT)).isEqualTo(new Nothing());
		assertThat(this.queue.statuses(List.of(RULE), 2, WAIT).get(0).orElseThrow())
			.extracting(QueueStatus::due, QueueStatus::queued)
			.containsExactly(List.of("hbob"), 1L);
		assertThat(this.queue.state(RULE, "a1", WAIT)).contains(List.of());
		assertThat(this.redis.zrange(START + "ages", 0, -1)).containsExactly("b1");
		assertThat(this.redis.hgetAll(START + "sizes")).isEqualTo(Map.of("b1", "0", "*", "0"));
	}

	@Test
	@DisplayName("a consumer group: Redis itself shows which worker has which item")
	void oneItemOfASubjectIsPending() {
		enqueue("a1");
		enqueue("a2");
		start();
		assertThat(this.redis.xpending(START + "of:hann", "workers").getTotal()).isEqualTo(1);
		assertThat(this.redis.xpending(START + "of:hann", "workers").getConsumerMessageCount()).containsKey("worker");
		assertThat(this.redis.xlen(START + "of:hann")).isEqualTo(2);
	}

	@Test
	void itemsThatAnOperatorDeletedAreSkipped() {
		enqueue("a1");
		enqueue("a2");
		start();
		List<StreamEntryID> entries = this.redis.xrange(START + "of:hann", "-", "+", 1)
			.stream()
			.map((entry) -> entry.getID())
			.toList();
		this.redis.xdel(START + "of:hann", entries.get(0));
		this.clock.advance(LEASE);
		assertThat(start().id()).isEqualTo("a2");
		assertThat(this.redis.hkeys(START + "items")).containsExactly("a2");
		this.redis.del(START + "of:hann");
		this.clock.advance(LEASE);
		assertThat(this.queue.start(ANN, "t", "worker", LEASE, WAIT)).isEqualTo(new Nothing());
		assertThat(this.redis.exists(START + "due")).isFalse();
		enqueue("a3");
		this.redis.xtrim(START + "of:hann", 0, false);
		assertThat(this.queue.start(ANN, "t", "worker", LEASE, WAIT)).isEqualTo(new Nothing());
		enqueue("a4");
		assertThat(start().id()).as("behind the deleted items").isEqualTo("a4");
	}

	@Test
	@DisplayName("while Redis is out of memory, items can end and none can be enqueued")
	void withoutMemoryNothingIsEnqueuedAndItemsCanEnd() {
		enqueue("a1");
		enqueue("a2");
		this.redis.configSet("maxmemory", "1");
		try {
			assertThat(this.queue.enqueue(ANN, "a3", Map.of(), ROOM, WAIT)).isEqualTo(EnqueueResult.NO_REPLY);
			LeasedItem first = start();
			assertThat(this.queue.renew(List.of(first), LEASE, WAIT)).containsExactly(Acknowledgement.YES);
			this.queue.postpone(first, Duration.ZERO, true, WAIT);
			assertThat(this.queue.done(start(), KNOWN, WAIT)).isEqualTo(Acknowledgement.YES);
			assertThat(this.queue.bury(start(), KNOWN, BURIAL, WAIT)).isEqualTo(Acknowledgement.YES);
		}
		finally {
			this.redis.configSet("maxmemory", "0");
		}
		assertThat(this.queue.statuses(List.of(RULE), 1, WAIT).get(0).orElseThrow().queued()).isZero();
	}

	private long bytes() {
		return this.redis.keys("*").stream().mapToLong((key) -> this.redis.memoryUsage(key, 0)).sum();
	}

	@Test
	void anItemTakesLittleMoreThanItsBody() {
		Map<String, byte[]> fields = Map.of("method", "POST".getBytes(StandardCharsets.US_ASCII), "body",
				new byte[100]);
		for (int i = 0; i < 1000; i++) {
			String id = "%022d".formatted(i);
			this.queue.enqueue(new QueuedSubject(RULE, "h%022d".formatted(i % 10)), id, fields, LARGE, WAIT);
		}
		assertThat(bytes() / 1000 - 100).as("besides the body").isLessThan(450);
		this.redis.flushAll();
		for (int i = 0; i < 1000; i++) {
			this.queue.enqueue(new QueuedSubject(RULE, "h%022d".formatted(i)), "%022d".formatted(i), fields, LARGE,
					WAIT);
		}
		assertThat(bytes() / 1000 - 100).as("with one item for each key").isLessThan(6000);
	}

	@Test
	@DisplayName("items of a rule use no more memory than allowed: many keys and few, with bodies and without")
	void aQueueTakesNoMoreMemoryThanItMay() {
		long most = 1 << 20;
		for (int body : new int[] { 0, 100, 20_000 }) {
			for (int subjects : new int[] { 1, 10_000 }) {
				Map<String, byte[]> fields = Map.of("method", new byte[4], "body", new byte[body]);
				int enqueued = 0;
				while (this.queue.enqueue(new QueuedSubject(RULE, "h%022d".formatted(enqueued % subjects)),
						"%022d".formatted(enqueued), fields, new Room(100_000, 100_000, most),
						WAIT) == EnqueueResult.ENQUEUED) {
					enqueued++;
				}
				assertThat(bytes()).as("%d requests of %d keys with %d bytes", enqueued, subjects, body)
					.isBetween(most / 5, most);
				this.redis.flushAll();
			}
		}
	}

	@Test
	@DisplayName("items whose sizes Redis has evicted are handled, buried and revived all the same")
	void itemsWithoutASizeAreHandled() {
		enqueue("a1");
		enqueue("a2");
		enqueue("a3");
		this.redis.del(START + "sizes");
		this.queue.done(start(), KNOWN, WAIT);
		this.queue.bury(start(), KNOWN, BURIAL, WAIT);
		this.redis.del(START + "dead-bytes");
		this.queue.revive(this.queue.dead(RULE, Optional.empty(), 1, WAIT).orElseThrow().get(0), WAIT);
		enqueue("a4");
		assertThat(this.redis.hgetAll(START + "sizes")).isEqualTo(Map.of("a2", "5", "a4", "5", "*", "10"));
		assertHeldForGood();
		for (int i = 0; i < 3; i++) {
			this.queue.done(start(), KNOWN, WAIT);
		}
		assertThat(this.redis.exists(START + "sizes")).isFalse();
		this.redis.hset(START + "sizes", Map.of("of-an-evicted-item", "1000", "*", "1000"));
		enqueue("a5");
		assertThat(this.redis.hgetAll(START + "sizes")).isEqualTo(Map.of("a5", "5", "*", "5"));
	}

	@Test
	void onlyTheClockIsExchangedInTests() {
		List<List<String>> loaded = new ArrayList<>();
		QueueScripts ignored = QueueScripts
			.load((RedisScripts) Proxy.newProxyInstance(RedisScripts.class.getClassLoader(),
					new Class<?>[] { RedisScripts.class }, (proxy, method, arguments) -> {
						loaded.add(List.of((String[]) arguments[0]));
						return null;
					}));
		assertThat(loaded).hasSize(10);
		for (List<String> files : loaded) {
			assertThat(files.contains(RedisScripts.CLOCK))
				.isEqualTo(files.get(files.size() - 1).equals(RedisScripts.CLOCK));
			assertThat(files).filteredOn((file) -> !file.equals(RedisScripts.CLOCK))
				.allSatisfy((file) -> assertThat(Script.read(file)).doesNotContain("TIME'"));
		}
	}

	@Test
	void anOverloadedApplicationIsDistinguishedFromAStoreThatIsAway() {
		CallRunner busy = (CallRunner) Proxy.newProxyInstance(CallRunner.class.getClassLoader(),
				new Class<?>[] { CallRunner.class }, (proxy, method, arguments) -> {
					((List<?>) arguments[0])
						.forEach((call) -> ((NodeCall) call).failed(StoreFailure.OVERLOADED, Fate.NOT_TAKEN));
					return null;
				});
		ItemQueue queue = new RedisItemQueue(ModuleStores.scripts(busy, SharedRedis.PREFIX));
		assertThat(queue.backlog(ANN, WAIT)).isEqualTo(Standing.OVERLOADED);
	}

	@Test
	@DisplayName("never 202 without an acknowledgement: a store that is away acknowledges nothing")
	void noCallIsAnsweredWhileRedisIsAway() {
		RedisServer server = OwnRedis.server();
		try (CallRunner runner = new RedisConnections(TestConnectionDetails.standalone(server.address()),
				SharedRedis.settings(2))
			.open()) {
			ItemQueue away = new RedisItemQueue(ModuleStores.scripts(runner, SharedRedis.PREFIX));
			assertThat(away.enqueue(ANN, "a1", Map.of(), new Room(1, 1, 1 << 20), WAIT))
				.isEqualTo(EnqueueResult.ENQUEUED);
			LeasedItem item = away.start(ANN, "t", "worker", LEASE, WAIT).leased().orElseThrow();
			server.kill();
			Duration soon = Duration.ofMillis(200);
			assertThat(away.enqueue(ANN, "a2", Map.of(), new Room(1, 1, 1 << 20), soon))
				.isEqualTo(EnqueueResult.NO_REPLY);
			assertThat(away.backlog(ANN, soon)).isEqualTo(Standing.NO_REPLY);
			assertThat(away.statuses(List.of(RULE), 1, soon)).containsExactly(Optional.empty());
			assertThat(away.start(ANN, "t2", "worker", LEASE, soon)).isEqualTo(new NoReply());
			assertThat(away.done(item, KNOWN, soon)).isEqualTo(Acknowledgement.NO_REPLY);
			assertThat(away.state(RULE, "a1", soon)).isEmpty();
			assertThat(away.dead(RULE, Optional.empty(), 1, soon)).isEmpty();
		}
	}

}
