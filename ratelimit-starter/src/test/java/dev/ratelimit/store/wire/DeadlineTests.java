package dev.ratelimit.store.wire;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.fixture.FaultProxy;
import dev.ratelimit.fixture.FaultProxy.Fault;
import dev.ratelimit.store.redis.OwnRedis;
import dev.ratelimit.store.redis.RedisStore;
import dev.ratelimit.store.redis.SharedRedis;
import dev.ratelimit.store.redis.TestConnectionDetails;
import dev.ratelimit.store.redis.resp.RedisStoreSettings;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Whatever Redis does, a decision takes no longer than the deadline: compared with
 * decisions that only wait.
 */
class DeadlineTests {

	private static final Duration DEADLINE = Duration.ofMillis(50);

	private static final int CLIENTS = 20;

	private static final int ROUNDS = 10;

	/** Printing a stack for each of them would take more time than deciding. */
	@BeforeAll
	static void logAsUsual() {
		((Logger) LoggerFactory.getLogger(RedisStore.class)).setLevel(Level.INFO);
	}

	@AfterAll
	static void logAsBefore() {
		((Logger) LoggerFactory.getLogger(RedisStore.class)).setLevel(null);
	}

	@Test
	void timeToReturnAfterTheWaitIsReserved() {
		assertThat(CallTime.toReturnInTime(DEADLINE.toNanos())).isEqualTo(45_000_000);
		Duration minute = Duration.ofMinutes(1);
		assertThat(CallTime.toReturnInTime(minute.toNanos())).isEqualTo(minute.minusMillis(5).toNanos());
	}

	@Test
	@DisplayName("3.4 A server that hangs costs a decision no more than its deadline")
	void aServerThatHangsCostsNoMoreThanTheDeadline() throws InterruptedException {
		RedisServer server = OwnRedis.server();
		try (RedisStore store = store(server.address(), 8, 100)) {
			Decisions decisions = new Decisions(store, DEADLINE);
			decisions.decide();
			server.pause();
			assertThat(inTime(decisions, CLIENTS).withoutStore()).isEqualTo(CLIENTS * ROUNDS);
			server.resume();
		}
	}

	/** Where a byte has just arrived when the deadline ends, the next look is later. */
	@Test
	void aReplyThatArrivesByteByByteCostsNoMoreThanTheDeadlineAndOneLook() throws InterruptedException {
		try (FaultProxy proxy = FaultProxy.to(OwnRedis.server().port());
				RedisStore store = store(proxy.address(), 8, 100)) {
			Decisions decisions = new Decisions(store, DEADLINE);
			decisions.decide();
			proxy.inject(Fault.DRIP, Duration.ofMillis(10));
			decisions.make(Thread::new, CLIENTS, ROUNDS).assertWithin(DEADLINE.multipliedBy(5).dividedBy(4));
			assertThat(decisions.withoutStore()).isEqualTo(CLIENTS * ROUNDS);
		}
	}

	@Test
	void aServerThatAcceptsAndSendsNothingCostsNoMoreThanTheDeadline() throws InterruptedException {
		try (FaultProxy proxy = FaultProxy.to(OwnRedis.server().port())) {
			proxy.inject(Fault.BLACK_HOLE);
			try (RedisStore store = store(proxy.address(), 8, 100)) {
				inTime(new Decisions(store, DEADLINE), CLIENTS);
			}
		}
	}

	@Test
	void aServerThatDoesNotEvenAcceptCostsNoMoreThanTheDeadline() throws Exception {
		try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			List<Socket> queued = new ArrayList<>();
			for (int i = 0; i < 3; i++) {
				Socket socket = new Socket();
				queued.add(socket);
				// The queue is full when no more of them are accepted.
				connect(socket, full);
			}
			try (RedisStore store = store("127.0.0.1:" + full.getLocalPort(), 8, 100)) {
				inTime(new Decisions(store, DEADLINE), CLIENTS);
			}
			for (Socket socket : queued) {
				socket.close();
			}
		}
	}

	private static void connect(Socket socket, ServerSocket server) throws IOException {
		try {
			socket.connect(server.getLocalSocketAddress(), 200);
		}
		catch (java.net.SocketTimeoutException ex) {
			// It is full.
		}
	}

	@Test
	void anUnknownNameCostsNoMoreThanTheDeadline() throws InterruptedException {
		try (RedisStore store = store("redis.invalid:6379", 8, 100)) {
			inTime(new Decisions(store, DEADLINE), CLIENTS);
		}
	}

	/** A client waits for a connection, as the server replies, and for its own reply. */
	@Test
	void fiftyClientsOfTwoSlowConnectionsWaitNoLongerThanFiveDeadlines() throws InterruptedException {
		try (FaultProxy proxy = FaultProxy.to(OwnRedis.server().port());
				RedisStore store = store(proxy.address(), 2, 100)) {
			Decisions decisions = new Decisions(store, DEADLINE);
			decisions.decide();
			proxy.inject(Fault.DELAY, Duration.ofMillis(30));
			decisions.make(Thread::new, 50, ROUNDS).assertWithin(DEADLINE.multipliedBy(5));
		}
	}

	@Test
	void twoHundredThreadsNeedNoMoreThreadsWhenAServerHangs() throws InterruptedException {
		RedisServer server = OwnRedis.server();
		try (RedisStore store = store(server.address(), 32, 512)) {
			Decisions decisions = new Decisions(store, DEADLINE);
			decisions.decide();
			server.pause();
			List<String> before = limiterThreads();
			inTime(decisions, 200);
			assertThat(limiterThreads()).hasSizeLessThanOrEqualTo(before.size() + 2);
			server.resume();
		}
	}

	@Test
	@EnabledForJreRange(min = JRE.JAVA_21)
	void tenThousandVirtualThreadsAreShedNotQueued() throws Exception {
		Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
		ThreadFactory virtual = (ThreadFactory) Class.forName("java.lang.Thread$Builder")
			.getMethod("factory")
			.invoke(builder);
		RedisServer server = OwnRedis.server();
		try (RedisStore store = store(server.address(), 32, 512)) {
			Decisions decisions = new Decisions(store, DEADLINE);
			decisions.decide();
			server.pause();
			decisions.make(virtual, 10_000, 2).assertInTime();
			server.resume();
		}
	}

	private static List<String> limiterThreads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.map(Thread::getName)
			.filter((name) -> name.startsWith("ratelimit-"))
			.toList();
	}

	private static Decisions inTime(Decisions decisions, int clients) throws InterruptedException {
		return decisions.make(Thread::new, clients, ROUNDS).assertInTime();
	}

	private static RedisStore store(String address, int maxConnections, int maxWaiting) {
		return SharedRedis.store(TestConnectionDetails.standalone(address),
				new RedisStoreSettings(SharedRedis.PREFIX, Duration.ofMillis(500), maxConnections, maxWaiting));
	}

}
