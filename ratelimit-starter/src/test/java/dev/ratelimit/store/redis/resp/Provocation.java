package dev.ratelimit.store.redis.resp;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.fixture.FaultProxy;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Limits;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.redis.RedisStore;
import dev.ratelimit.store.redis.SharedRedis;
import dev.ratelimit.store.redis.StoreRequests;
import dev.ratelimit.store.redis.TestConnectionDetails;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisDataException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Servers, proxies and stores that a test opens, and the failures of the stores.
 */
abstract class Provocation {

	static final Duration PATIENCE = Duration.ofSeconds(20);

	final Limit limit = Limits.of("provoked", "1000/60s");

	private final List<AutoCloseable> opened = new ArrayList<>();

	@AfterEach
	void close() throws Exception {
		for (int i = this.opened.size() - 1; i >= 0; i--) {
			this.opened.get(i).close();
		}
	}

	<T extends AutoCloseable> T opened(T closeable) {
		this.opened.add(closeable);
		return closeable;
	}

	RedisServer start(String... options) {
		return opened(RedisServer.start(options));
	}

	FaultProxy proxy(RedisServer server) {
		return opened(FaultProxy.to(server.port()));
	}

	Jedis connect(RedisServer server) {
		return opened(SharedRedis.connect(server));
	}

	RedisStore open(String address) {
		return open(TestConnectionDetails.standalone(address));
	}

	RedisStore open(TestConnectionDetails details) {
		return opened(SharedRedis.store(details, SharedRedis.settings(2)));
	}

	void runForEver(RedisServer server, String script) {
		Connection endless = opened(new Connection(new HostAndPort(server.host(), server.port())));
		endless.sendCommand(new CommandArguments(Command.EVAL).add(script).add("1").add("key"));
		endless.getMany(0);
		Jedis redis = connect(server);
		Awaitility.await()
			.atMost(PATIENCE)
			.until(() -> catchThrowableOfType(JedisDataException.class, redis::ping) != null);
	}

	StoreFailure failure(RedisStore store) {
		return failure(store, Duration.ofSeconds(5));
	}

	StoreFailure failure(RedisStore store, Duration maxWait) {
		AcquireResult result = StoreRequests.acquire(store, StoreRequests.request(this.limit, "a"), maxWait);
		assertThat(result).isInstanceOf(AcquireResult.Failed.class);
		return ((AcquireResult.Failed) result).failure();
	}

	void assertHealed(RedisStore store) {
		Awaitility.await()
			.atMost(PATIENCE)
			.until(() -> StoreRequests.isAdmitted(StoreRequests.acquire(store, this.limit, "a")));
	}

}
