package dev.ratelimit.memcached;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import dev.ratelimit.memcached.meta.Credentials;
import dev.ratelimit.memcached.meta.MemcachedConnections;
import dev.ratelimit.memcached.meta.ServerAddress;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.Fate;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.SettlementResult;
import dev.ratelimit.store.StoreFailure;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * What servers do that are killed, suspended or full, and what cannot be promised then.
 */
class FaultTests {

	private static final Limit ONE = Requests.limit(Algorithm.FIXED_WINDOW, "one", "1/60s");

	private static final int SUBJECTS = 30_000;

	private final List<AutoCloseable> opened = new ArrayList<>();

	private final BlockingQueue<String> released = new LinkedBlockingQueue<>();

	private MemcachedServer server(String... options) {
		MemcachedServer server = MemcachedServer.start(options);
		this.opened.add(server);
		return server;
	}

	private MemcachedStore store(ServerAddress... servers) {
		return store(InstantSource.system(), servers);
	}

	private MemcachedStore store(InstantSource clock, ServerAddress... servers) {
		MemcachedStore store = new MemcachedStore(MemcachedServer.connections(servers).open(), "rl", clock,
				(rule, acknowledged) -> this.released.add(rule + " " + acknowledged));
		this.opened.add(0, store);
		return store;
	}

	@AfterEach
	void close() throws Exception {
		for (AutoCloseable each : this.opened) {
			each.close();
		}
	}

	private static AcquireRequest request(String subject) {
		return Requests.request(ONE, subject, 1);
	}

	@Test
	void aDeadServerFailsOnlyTheClientsThatItCounts() {
		MemcachedServer dead = server();
		MemcachedStore store = store(server().address(), dead.address(), server().address());
		dead.kill();
		List<AcquireRequest> requests = IntStream.range(0, 60).mapToObj((i) -> request("u" + i)).toList();
		List<AcquireResult> results = store.acquire(requests, Requests.PATIENCE).await();
		for (int i = 0; i < results.size(); i++) {
			boolean isOnDead = store.shard(requests.get(i)).equals(dead.address().toString());
			assertThat(results.get(i)).as("client %d", i)
				.isInstanceOf(isOnDead ? AcquireResult.Failed.class : AcquireResult.Admitted.class);
		}
		assertThat(results).filteredOn(AcquireResult.Failed.class::isInstance).hasSizeBetween(5, 40);
		assertThat(store.capabilities().diagnostics().lastFailure().get()).get()
			.asString()
			.startsWith(dead.address() + ": ");
	}

	@Test
	void aServerThatWasRestartedHasForgottenItsCountsAndIsUsedAgain() {
		MemcachedServer server = server();
		MemcachedStore store = store(server.address());
		assertThat(Requests.admits(store, request("u1"))).isTrue();
		assertThat(Requests.admits(store, request("u1"))).isFalse();
		server.restart();
		assertThat(IntStream.range(0, 1000).filter((i) -> Requests.admits(store, request("u1"))).count())
			.as("the whole limit once more")
			.isEqualTo(1);
	}

	@Test
	void permitsThatAreHeldAcrossARestartAreSubtractedFromTheNewCount() {
		MemcachedServer server = server();
		MemcachedStore store = store(server.address());
		AcquireRequest held = Requests.request(Requests.limit(Algorithm.FIXED_WINDOW, "held", "5/1h"), "u1", 5);
		AcquireResult admitted = Requests.acquire(store, held);
		server.restart();
		assertThat(IntStream.range(0, 1000).filter((i) -> Requests.admits(store, held)).count())
			.as("the whole limit once more")
			.isEqualTo(1);
		Requests.release(store, held, admitted);
		assertThat(Requests.admits(store, held)).as("and what was held before").isTrue();
	}

	@Test
	void whatASuspendedServerCountsLateIsReleased() throws InterruptedException {
		MemcachedServer server = server();
		MemcachedStore store = store(server.address());
		Requests.admits(store, request("warm"));
		server.suspend();
		AcquireResult result = store.acquire(List.of(request("u1")), Duration.ofMillis(50)).await().get(0);
		assertThat(result).isEqualTo(new AcquireResult.Failed(StoreFailure.TIMEOUT, Fate.AWAITED));
		server.resume();
		assertThat(this.released.poll(5, TimeUnit.SECONDS)).isEqualTo("one true");
		assertThat(Requests.admits(store, request("u1"))).isTrue();
	}

	/** It is the key of the next window, too. */
	@Test
	void aQueuedReleaseIsNotSentOnceItsWindowMayHaveEnded() throws InterruptedException {
		TestClock clock = new TestClock();
		MemcachedServer server = server();
		MemcachedStore store = store(clock, server.address());
		AcquireResult admitted = Requests.acquire(store, request("u1"));
		server.kill();
		assertThat(Requests.acquire(store, request("u2"))).isInstanceOf(AcquireResult.Failed.class);
		assertThat(Requests.release(store, request("u1"), admitted)).isEqualTo(SettlementResult.AWAITED);
		clock.advance(Duration.ofSeconds(61));
		server.restart();
		assertThat(this.released.poll(5, TimeUnit.SECONDS)).isEqualTo("one false");
		assertThat(server.ask("stats")).contains("STAT decr_misses 0", "STAT decr_hits 0");
	}

	/** Which reply belongs to which command is unknown from then on. */
	@Test
	void aReplyThatFitsNoCommandsEndsTheConnection() throws Exception {
		ScriptedServer server = new ScriptedServer("1.6.18", (line) -> "HD\r\nHD\r\n");
		this.opened.add(server);
		MemcachedStore store = store(server.address());
		assertThat(Requests.acquire(store, request("u1")))
			.isEqualTo(new AcquireResult.Failed(StoreFailure.ERROR, Fate.UNKNOWN));
		assertThat(server.awaitClosed()).isTrue();
	}

	@Test
	void aLateReplyThatFitsNoCommandsEndsTheConnection() throws Exception {
		CountDownLatch late = new CountDownLatch(1);
		ScriptedServer server = new ScriptedServer("1.6.18", (line) -> {
			assertThatNoException().isThrownBy(late::await);
			return "HD\r\nHD\r\n";
		});
		this.opened.add(server);
		MemcachedStore store = store(server.address());
		assertThat(store.acquire(List.of(request("u1")), Duration.ofMillis(50)).await())
			.containsExactly(new AcquireResult.Failed(StoreFailure.TIMEOUT, Fate.AWAITED));
		late.countDown();
		assertThat(this.released.poll(5, TimeUnit.SECONDS)).as("it may be counted").isEqualTo("one false");
		assertThat(server.awaitClosed()).isTrue();
	}

	@Test
	void aFullServerThatEvictsForgetsCounts() {
		MemcachedServer server = server("-m", "2");
		MemcachedStore store = store(server.address());
		assertThat(fill(store)).as("admitted of all").isEqualTo(SUBJECTS);
		assertThat(Requests.admits(store, request("u0"))).as("the first of them once more").isTrue();
	}

	@Test
	void aFullServerThatDoesNotEvictRefusesToCountNewClientsAndKeepsTheOthers() {
		MemcachedServer server = server("-m", "2", "-M");
		MemcachedStore store = store(server.address());
		assertThat(fill(store)).as("admitted of all").isBetween(1_000, SUBJECTS - 1);
		assertThat(Requests.admits(store, request("u0"))).isFalse();
		assertThat(Requests.acquire(store, request("late")))
			.isEqualTo(new AcquireResult.Failed(StoreFailure.UNAVAILABLE, Fate.NOT_TAKEN));
		assertThat(store.capabilities().diagnostics().lastFailure().get()).get().asString().contains("Out of memory");
	}

	/** A count that needs another digit is another item to it. */
	@Test
	void aFullServerThatDoesNotEvictMayRefuseCountsThatGrow() {
		MemcachedServer server = server("-m", "2", "-M");
		MemcachedStore store = store(server.address());
		Limit twelve = Requests.limit(Algorithm.FIXED_WINDOW, "twelve", "12/60s");
		assertThat(Requests.admits(store, Requests.request(twelve, "u1", 8))).isTrue();
		fill(store);
		assertThat(Requests.admits(store, Requests.request(twelve, "u1", 1))).as("8 to 9").isTrue();
		assertThat(Requests.acquire(store, Requests.request(twelve, "u1", 1))).as("9 to 10")
			.isEqualTo(new AcquireResult.Failed(StoreFailure.UNAVAILABLE, Fate.NOT_TAKEN));
	}

	/** They are counted when there is memory again. */
	@ParameterizedTest
	@EnumSource(names = { "FIXED_WINDOW", "SLIDING_WINDOW_COUNTER" })
	void aFullServerThatDoesNotEvictTakesNoPermitsOfSyncedRules(Algorithm algorithm) {
		MemcachedServer server = server("-m", "2", "-M");
		TestClock clock = new TestClock();
		MemcachedStore store = store(clock, server.address());
		fill(store);
		AcquireRequest request = Requests.request(Requests.synced(algorithm, "full", "10/60s"), "u1", 4);
		long end = (clock.instant().getEpochSecond() / 60 + 1) * 60_000_000;
		assertThat(store.capabilities()
			.counter()
			.orElseThrow()
			.count(List.of(new AcquiredPermits(request, List.of(end))), Requests.PATIENCE))
			.containsExactly(new AcquireResult.Failed(StoreFailure.UNAVAILABLE, Fate.NOT_TAKEN));
	}

	static int fill(MemcachedStore store) {
		int admitted = 0;
		for (int from = 0; from < SUBJECTS; from += 1000) {
			List<AcquireRequest> requests = IntStream.range(from, from + 1000)
				.mapToObj((i) -> request("u" + i))
				.toList();
			admitted += (int) store.acquire(requests, Requests.PATIENCE)
				.await()
				.stream()
				.filter(AcquireResult.Admitted.class::isInstance)
				.count();
		}
		return admitted;
	}

	@Test
	void serversWithUsersWantOne() throws Exception {
		Path users = Files.createTempFile("users", "");
		Files.writeString(users, "limiter:secret\n");
		users.toFile().deleteOnExit();
		users.toFile().setReadable(true, false);
		MemcachedServer server = server("-Y", users.toString());
		assertThat(Requests.acquire(as(server, "limiter", "secret"), request("u1")))
			.isInstanceOf(AcquireResult.Admitted.class);
		assertThat(Requests.acquire(as(server, "limiter", "wrong"), request("u1")))
			.isInstanceOfSatisfying(AcquireResult.Failed.class, this::isNotPermitted);
		assertThat(Requests.acquire(store(server.address()), request("u1")))
			.isInstanceOfSatisfying(AcquireResult.Failed.class, this::isNotPermitted);
	}

	/** There, the command that logs in is an ordinary {@code set}. */
	@Test
	void aServerWithoutUsersStoresNoPasswordAndKeepsWhatOtherApplicationsStored() {
		MemcachedServer server = server();
		server.ask("ms login 6", "theirs");
		assertThat(Requests.acquire(as(server, "limiter", "secret"), request("u1")))
			.isInstanceOf(AcquireResult.Admitted.class);
		assertThat(server.ask("mg dev.ratelimit.memcached:login v")).containsExactly("EN");
		assertThat(server.ask("mg login v")).contains("theirs");
	}

	private void isNotPermitted(AcquireResult.Failed failed) {
		assertThat(failed.failure()).isEqualTo(StoreFailure.NOT_PERMITTED);
	}

	private MemcachedStore as(MemcachedServer server, String username, String password) {
		var connections = new MemcachedConnections(List.of(server.address()), Duration.ofMillis(500), 1, 10,
				Optional.of(new Credentials(username, password)), Optional.empty());
		MemcachedStore store = new MemcachedStore(connections.open(), "rl", InstantSource.system(), (rule, ok) -> {
		});
		this.opened.add(0, store);
		return store;
	}

}
