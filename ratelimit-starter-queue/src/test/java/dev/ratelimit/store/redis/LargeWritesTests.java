package dev.ratelimit.store.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.fixture.Patience;
import dev.ratelimit.queue.EnqueueResult;
import dev.ratelimit.queue.ItemQueue.Room;
import dev.ratelimit.queue.ItemState;
import dev.ratelimit.queue.QueuedSubject;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Limits;
import dev.ratelimit.store.redis.resp.RedisStoreSettings;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Large bodies beside decisions, in bytes on the wire.
 */
class LargeWritesTests {

	private static final Duration SHORT = Duration.ofMillis(200);

	private static final int SEND_BUFFER = 256 * 1024;

	private static final int LARGE = 4 << 20;

	private static final Room ROOM = new Room(1000, 1000, 1L << 30);

	private final RedisServer server = OwnRedis.server();

	private final ExecutorService threads = Executors.newCachedThreadPool();

	@AfterEach
	void end() {
		this.threads.shutdownNow();
	}

	private static CountingAndQueueing connect(String address) {
		return CountingAndQueueing.connect(TestConnectionDetails.standalone(address),
				new RedisStoreSettings(SharedRedis.PREFIX, Duration.ofSeconds(2), 8, 1000));
	}

	private static EnqueueResult enqueue(CountingAndQueueing redis, String id, int bytes, Duration maxWait) {
		return redis.queue()
			.enqueue(new QueuedSubject("large", "h" + id), id, Map.of("body", new byte[bytes]), ROOM, maxWait);
	}

	private <T> List<T> all(int count, IntFunction<T> task) throws Exception {
		List<Future<T>> futures = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			int number = i;
			futures.add(this.threads.submit(() -> task.apply(number)));
		}
		List<T> results = new ArrayList<>();
		for (Future<T> future : futures) {
			results.add(future.get(30, TimeUnit.SECONDS));
		}
		return results;
	}

	@Test
	@DisplayName("a Redis that stops reading: the write ends by its deadline, and its connection with it")
	void aWriteThatIsNotReadEndsItsConnection() throws Exception {
		try (CountingProxy proxy = CountingProxy.to(this.server.port(), SEND_BUFFER, Duration.ZERO);
				CountingAndQueueing redis = connect(proxy.address())) {
			assertThat(all(1, (i) -> enqueue(redis, "unread", LARGE, SHORT))).containsExactly(EnqueueResult.NO_REPLY);
			assertThat(proxy.unread()).isEqualTo(1);
			Awaitility.await().atMost(Patience.LONG).until(() -> proxy.endedUnread() == 1);
			Optional<List<ItemState>> state = redis.queue().state("large", "unread", Patience.LONG);
			assertThat(state).as("a body that was not read is not stored").contains(List.of());
			assertThat(redis.store().capabilities().diagnostics().lastFailure().get())
				.hasValueSatisfying((failure) -> assertThat(failure).contains("Not all of it was taken in time"));
		}
	}

	@Test
	@DisplayName("decisions go on over other connections, however many bodies are stuck")
	void decisionsShareNoConnectionWithLargeBodies() throws Exception {
		try (CountingProxy proxy = CountingProxy.to(this.server.port(), SEND_BUFFER, Duration.ZERO);
				CountingAndQueueing redis = connect(proxy.address())) {
			Future<List<EnqueueResult>> bodies = this.threads
				.submit(() -> all(20, (i) -> enqueue(redis, "stuck" + i, LARGE, SHORT)));
			Awaitility.await().atMost(Patience.LONG).until(() -> proxy.unread() > 0);
			List<AcquireResult> results = all(200,
					(i) -> StoreRequests.acquire(redis.store(), Limits.of("beside", "1000/60s"), "h" + i));
			assertThat(results).allMatch(StoreRequests::isAdmitted);
			assertThat(bodies.get(30, TimeUnit.SECONDS)).containsOnly(EnqueueResult.NO_REPLY);
		}
	}

	@Test
	@DisplayName("bytes are weighed: the requests of a round trip fit into the send buffer")
	void theRequestsOfARoundTripFitIntoTheSendBuffer() throws Exception {
		try (CountingProxy proxy = CountingProxy.to(this.server.port(), Long.MAX_VALUE, Duration.ofMillis(20));
				CountingAndQueueing redis = connect(proxy.address())) {
			assertThat(all(60, (i) -> enqueue(redis, "shared" + i, 60_000, Patience.LONG)))
				.containsOnly(EnqueueResult.ENQUEUED);
			assertThat(proxy.mostBetweenReplies()).isBetween(60_000L, SEND_BUFFER / 2L);
		}
	}

	@Test
	void largeBodiesAreStoredWhereTheyAreRead() throws Exception {
		try (CountingAndQueueing redis = connect(this.server.address())) {
			assertThat(all(20, (i) -> enqueue(redis, "large" + i, LARGE, Patience.LONG)))
				.containsOnly(EnqueueResult.ENQUEUED);
			assertThat(StoreRequests.acquire(redis.store(), Limits.of("after", "5/60s"), "a"))
				.matches(StoreRequests::isAdmitted);
		}
	}

	@Test
	void aServerThatIsStoppedBlocksNoRequest() throws Exception {
		try (CountingAndQueueing redis = connect(this.server.address())) {
			assertThat(enqueue(redis, "before", LARGE, Patience.LONG)).isEqualTo(EnqueueResult.ENQUEUED);
			this.server.pause();
			assertThat(all(10, (i) -> enqueue(redis, "paused" + i, LARGE, SHORT))).containsOnly(EnqueueResult.NO_REPLY);
			this.server.resume();
			Awaitility.await()
				.atMost(Patience.LONG)
				.until(() -> enqueue(redis, "after", LARGE, Patience.LONG) == EnqueueResult.ENQUEUED);
		}
	}

}
