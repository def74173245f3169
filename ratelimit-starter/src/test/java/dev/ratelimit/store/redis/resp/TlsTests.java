package dev.ratelimit.store.redis.resp;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;

import javax.net.ssl.SSLSocketFactory;

import dev.ratelimit.RateLimitDecision.Source;
import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.fixture.FaultProxy;
import dev.ratelimit.fixture.FaultProxy.Fault;
import dev.ratelimit.fixture.TestCertificates;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Fate;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Limits;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.redis.RedisStore;
import dev.ratelimit.store.redis.SharedRedis;
import dev.ratelimit.store.redis.StoreRequests;
import dev.ratelimit.store.redis.TestConnectionDetails;
import dev.ratelimit.store.wire.Decisions;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.JedisClientConfig;

import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslStoreBundle;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * TLS with the bundle of the application. The server's certificates are for
 * {@code localhost} only.
 */
class TlsTests {

	@TempDir
	static Path directory;

	private static TestCertificates certificates;

	private static RedisServer valid;

	private static RedisServer expired;

	@BeforeAll
	static void start() throws Exception {
		certificates = new TestCertificates(directory).issue("authority", "-ext", "bc:c")
			.issue("valid", "-signer", "authority")
			.issue("expired", "-signer", "authority", "-startdate", "-9d");
		valid = certificates.start("valid");
		expired = certificates.start("expired");
	}

	@AfterAll
	static void stop() {
		valid.close();
		expired.close();
	}

	@Test
	void aCertificateOfTheHostIsAccepted() throws Exception {
		assertThat(acquire("localhost", valid, "authority")).isInstanceOf(AcquireResult.Admitted.class);
	}

	@Test
	void aCertificateOfAnotherHostIsRefused() throws Exception {
		assertThat(acquire("127.0.0.1", valid, "authority")).isEqualTo(notPermitted());
	}

	@Test
	void aCertificateThatHasExpiredIsRefused() throws Exception {
		assertThat(acquire("localhost", expired, "authority")).isEqualTo(notPermitted());
	}

	@Test
	void anUntrustedCertificateIsRefused() throws Exception {
		assertThat(acquire("localhost", valid, "expired")).isEqualTo(notPermitted());
	}

	@Test
	void aBundleThatIsReloadedIsUsedWithoutARestart() throws Exception {
		TestConnectionDetails details = details("localhost:" + valid.port(), "expired");
		try (RedisStore store = SharedRedis.store(details, SharedRedis.settings(2))) {
			assertThat(StoreRequests.acquire(store, Limits.of("tls-reloaded", "5/60s"), "a")).isEqualTo(notPermitted());
			TestConnectionDetails ignored = details.with(trusting("authority"));
			Awaitility.await()
				.atMost(Duration.ofSeconds(20))
				.until(() -> StoreRequests.acquire(store, Limits.of("tls-reloaded", "5/60s"),
						"a") instanceof AcquireResult.Admitted);
		}
	}

	@Test
	void connectionsOfOneBundleShareItsContext() throws Exception {
		TestConnectionDetails details = details("localhost:" + valid.port(), "authority");
		Supplier<JedisClientConfig> configs = new RedisConnections(details, SharedRedis.settings(2)).nodeConfigs();
		SSLSocketFactory first = configs.get().getSslSocketFactory();
		assertThat(configs.get().getSslSocketFactory()).isSameAs(first);
		TestConnectionDetails ignored = details.with(trusting("expired"));
		SSLSocketFactory reloaded = configs.get().getSslSocketFactory();
		assertThat(reloaded).isNotSameAs(first);
		assertThat(configs.get().getSslSocketFactory()).isSameAs(reloaded);
		TestConnectionDetails unused = details.with(null);
		assertThat(configs.get().getSslSocketFactory()).isSameAs(reloaded);
	}

	@Test
	void aRecordThatArrivesByteByByteCostsNoMoreThanTheDeadline() throws Exception {
		try (FaultProxy proxy = FaultProxy.to(valid.port());
				RedisStore store = SharedRedis.store(details("localhost:" + proxy.port(), "authority"),
						SharedRedis.settings(2))) {
			Decisions decisions = new Decisions(store, Duration.ofMillis(50));
			assertThat(decisions.decide().source()).isEqualTo(Source.STORE);
			proxy.inject(Fault.DRIP, Duration.ofMillis(10));
			assertThat(decisions.make(Thread::new, 4, 10).assertInTime().withoutStore()).isEqualTo(40);
		}
	}

	@Test
	void permitsThatAreGrantedTooLateAreReleased() throws Exception {
		Queue<Boolean> released = new ConcurrentLinkedQueue<>();
		Limit limit = Limits.of("tls-late", "2/60s");
		try (RedisStore store = SharedRedis.store(details("localhost:" + valid.port(), "authority"),
				SharedRedis.settings(1), (rule, acknowledged) -> released.add(acknowledged))) {
			assertThat(StoreRequests.acquire(store, limit, "a")).isInstanceOf(AcquireResult.Admitted.class);
			valid.pause();
			assertThat(StoreRequests.acquire(store, StoreRequests.request(limit, "a"), Duration.ofMillis(50)))
				.isEqualTo(StoreRequests.failed(StoreFailure.TIMEOUT, Fate.AWAITED));
			valid.resume();
			Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> !released.isEmpty());
			assertThat(released).containsExactly(true);
			assertThat(StoreRequests.acquire(store, limit, "a")).isInstanceOf(AcquireResult.Admitted.class);
		}
	}

	private static AcquireResult notPermitted() {
		return StoreRequests.failed(StoreFailure.NOT_PERMITTED, Fate.NOT_TAKEN);
	}

	private static AcquireResult acquire(String host, RedisServer server, String trusted) throws Exception {
		try (RedisStore store = SharedRedis.store(details(host + ":" + server.port(), trusted),
				SharedRedis.settings(2))) {
			return StoreRequests.acquire(store, Limits.of("tls", "5/60s"), "a");
		}
	}

	private static TestConnectionDetails details(String address, String trusted) throws Exception {
		return TestConnectionDetails.standalone(address).with(trusting(trusted));
	}

	private static SslBundle trusting(String trusted) throws Exception {
		return SslBundle.of(SslStoreBundle.of(null, null, certificates.trusting(trusted)));
	}

}
