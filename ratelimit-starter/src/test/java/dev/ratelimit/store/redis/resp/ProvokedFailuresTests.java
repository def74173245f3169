package dev.ratelimit.store.redis.resp;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.fixture.FaultProxy;
import dev.ratelimit.fixture.FaultProxy.Fault;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.redis.OwnRedis;
import dev.ratelimit.store.redis.RedisStore;
import dev.ratelimit.store.redis.StoreRequests;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import redis.clients.jedis.Jedis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What it means when Redis does not reply, or not with anything of use, provoked on a
 * real server or on a bad connection to it, and that the store recovers when the cause is
 * gone. docs/redis.md has the table.
 */
class ProvokedFailuresTests extends Provocation {

	/** For a server that does not reply at all. */
	private static final Duration SHORT = Duration.ofMillis(300);

	@Test
	void refusedConnection() {
		RedisServer server = OwnRedis.server();
		RedisStore store = open(server.address());
		server.kill();
		assertThat(failure(store)).isEqualTo(StoreFailure.UNREACHABLE);
		server.restart();
		assertHealed(store);
	}

	@Test
	void hungServer() {
		RedisServer server = OwnRedis.server();
		RedisStore store = open(server.address());
		server.pause();
		assertThat(failure(store, SHORT)).isEqualTo(StoreFailure.TIMEOUT);
		server.resume();
		assertHealed(store);
	}

	@ParameterizedTest
	@CsvSource({ "DELAY, TIMEOUT", "DRIP, TIMEOUT", "BLACK_HOLE, TIMEOUT", "HALF_CLOSE, UNREACHABLE",
			"CUT_AFTER_REQUEST, UNREACHABLE", "CUT_IN_REPLY, UNREACHABLE", "CORRUPT, UNREACHABLE" })
	void badNetwork(Fault fault, StoreFailure failure) {
		FaultProxy proxy = proxy(OwnRedis.server());
		RedisStore store = open(proxy.address());
		assertHealed(store);
		proxy.inject(fault);
		assertThat(failure(store, SHORT)).isEqualTo(failure);
		proxy.inject(Fault.NONE);
		assertHealed(store);
	}

	/** The rest of the reply would be taken for the reply to another request. */
	@Test
	void replyThatIsTooShort() {
		FaultProxy proxy = proxy(OwnRedis.server());
		RedisStore store = open(proxy.address());
		assertHealed(store);
		proxy.corrupt((reply) -> new String(reply, StandardCharsets.ISO_8859_1).replace("*3", "*2")
			.getBytes(StandardCharsets.ISO_8859_1));
		assertThat(failure(store, SHORT)).isEqualTo(StoreFailure.ERROR);
		proxy.inject(Fault.NONE);
		assertThat(StoreRequests.acquire(store, this.limit, "a")).isInstanceOf(AcquireResult.Admitted.class);
		assertThat(proxy.accepted()).isEqualTo(2);
	}

	/** The queue of connections that it has not accepted yet is full. */
	@Test
	void serverThatAcceptsNoConnection() throws IOException {
		ServerSocket full = opened(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
		for (int i = 0; i < 2; i++) {
			opened(new Socket(InetAddress.getLoopbackAddress(), full.getLocalPort()));
		}
		RedisStore store = open("127.0.0.1:" + full.getLocalPort());
		assertThat(failure(store, SHORT)).isIn(StoreFailure.UNREACHABLE, StoreFailure.TIMEOUT);
	}

	@Test
	void unknownName() {
		assertThat(failure(open("redis.invalid:6379"))).isEqualTo(StoreFailure.UNREACHABLE);
	}

	@Test
	void tooManyClients() {
		RedisServer server = start();
		RedisStore store = open(server.address());
		server.restart();
		Jedis redis = connect(server);
		redis.configSet("maxclients", "1");
		assertThat(failure(store)).isEqualTo(StoreFailure.UNREACHABLE);
		redis.configSet("maxclients", "100");
		assertHealed(store);
	}

	@Test
	void unknownScriptGoesUnnoticed() {
		RedisServer server = OwnRedis.server();
		RedisStore store = open(server.address());
		assertHealed(store);
		connect(server).scriptFlush();
		assertThat(StoreRequests.acquire(store, this.limit, "a")).isInstanceOf(AcquireResult.Admitted.class);
	}

}
