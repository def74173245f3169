package dev.ratelimit.autoconfigure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import dev.ratelimit.RateLimiter;
import dev.ratelimit.fixture.SpeakingLog;
import dev.ratelimit.spi.RulesNotEnforceableException;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.redis.SharedRedis;
import dev.ratelimit.store.redis.resp.RedisAddress;
import dev.ratelimit.store.redis.resp.RedisDetails;
import dev.ratelimit.store.redis.resp.RedisLogin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.Jedis;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisProperties;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * An application without Spring Data configures the limiter's Redis as one with it does:
 * Boot's own reading of the settings is the oracle.
 */
class ConfiguredRedisTests {

	private static final String BUNDLE = "spring.ssl.bundle.jks.ours.truststore.location=file:"
			+ System.getProperty("java.home") + "/lib/security/cacerts";

	private static final String SPRING_DATA = "org.springframework.data";

	private static final int TLS_HANDSHAKE = 22;

	private final ApplicationContextRunner boots = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(SslAutoConfiguration.class, DataRedisAutoConfiguration.class));

	private final ApplicationContextRunner ours = ours(SslAutoConfiguration.class, DataRedisAutoConfiguration.class,
			RateLimitAutoConfiguration.class);

	private final ApplicationContextRunner withoutBootsModule = ours(SslAutoConfiguration.class,
			RateLimitAutoConfiguration.class)
		.withClassLoader(new FilteredClassLoader("org.springframework.boot.data.redis"));

	private static ApplicationContextRunner ours(Class<?>... configurations) {
		return new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(configurations))
			.withPropertyValues("spring.data.redis.port=1", "ratelimit.redis.connect-timeout=1ms");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "host=redis.internal port=7000 database=3 username=limiter password=secret",
			"url=redis://redis.internal:7000", "url=redis://redis.internal:7000/", "url=redis://redis.internal:7000/4",
			"url=redis://limiter:secret@redis.internal:7000/4 host=ignored username=ignored password=ignored",
			"url=redis://secret@redis.internal:7000", "url=redis://:secret@redis.internal:7000",
			"url=redis://limiter:se%3Acr%40et@redis.internal:7000",
			"password=secret cluster.nodes=a:7000,b:7001,[::1]:7002",
			"database=2 sentinel.master=shop sentinel.nodes=a:26379,b:26380 sentinel.username=s sentinel.password=t",
			"url=redis://redis.internal:7000/4 sentinel.master=shop sentinel.nodes=a:26379",
			"cluster.nodes=a:7000 sentinel.master=shop sentinel.nodes=a:26379", "ssl.enabled=true", "ssl.bundle=ours",
			"ssl.bundle=ours ssl.enabled=false", "timeout=1s client-name=shop lettuce.pool.max-active=3" })
	void theSettingsAreReadAsBootReadsThem(String settings) {
		String[] properties = settings.isEmpty() ? new String[0] : settings.split(" ", -1);
		this.boots.withPropertyValues(BUNDLE)
			.withPropertyValues(prefixed(properties))
			.run((context) -> assertThat(described(read(context.getBean(SslBundles.class), properties)))
				.isEqualTo(described(new BootRedis(context.getBean(DataRedisConnectionDetails.class)))));
	}

	private static String[] prefixed(String... properties) {
		return List.of(properties).stream().map((property) -> "spring.data.redis." + property).toArray(String[]::new);
	}

	private static ConfiguredRedis read(SslBundles bundles, String... properties) {
		MockEnvironment environment = new MockEnvironment();
		for (String property : prefixed(properties)) {
			int equals = property.indexOf('=');
			environment.setProperty(property.substring(0, equals), property.substring(equals + 1));
		}
		ConfigurationPropertySources.attach(environment);
		return ConfiguredRedis.ofBoot(environment, bundles);
	}

	private static List<Object> described(RedisDetails details) {
		List<Object> described = new ArrayList<>(logins(details.login()));
		if (details.address() instanceof RedisAddress.SentinelMaster sentinel) {
			described.addAll(List.of(sentinel.master(), sentinel.sentinels(), sentinel.database()));
			described.addAll(logins(sentinel.login().get()));
		}
		else {
			described.add(details.address());
		}
		SslBundle bundle = details.sslBundle();
		described.add((bundle == null) ? "in the clear"
				: (bundle.getStores().getTrustStore() == null) ? "of the system" : bundle);
		return described;
	}

	/** A login shows no password. */
	private static List<String> logins(RedisLogin login) {
		return List.of("user " + login.username(), "password " + login.password());
	}

	@Test
	void aPortMayBeLeftOutOfAUrl() {
		assertThat(read(new DefaultSslBundleRegistry(), "url=redis://redis.internal").address())
			.isEqualTo(new RedisAddress.SingleServer(new RedisAddress.HostPort("redis.internal", 6379), 0));
	}

	@Test
	void aUrlWithTlsIsNeverReadAsOneWithout() {
		assertThat(read(new DefaultSslBundleRegistry(), "url=rediss://redis.internal").sslBundle()).isNotNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "url=http://user:secret@redis.internal", "url=redis://user:se cret@redis.internal",
			"url=redis://user:secret@redis.internal/zero", "url=redis:secret" })
	void aUrlThatNamesNoRedisStopsTheStartAndStaysOutOfTheMessage(String setting) {
		assertThatThrownBy(() -> read(new DefaultSslBundleRegistry(), setting))
			.isInstanceOf(RulesNotEnforceableException.class)
			.hasMessageContainingAll("spring.data.redis.url", "redis://user:password@host:port/database")
			.hasMessageNotContaining("secret");
	}

	@ParameterizedTest
	@ValueSource(strings = { "cluster.nodes=a", "cluster.nodes=:7000", "sentinel.master=shop", "sentinel.nodes=a:26379",
			"cluster.max-redirects=3", "masterreplica.nodes=a:7000,b:7001" })
	void aMissingSettingIsNamed(String setting) {
		assertThatThrownBy(() -> described(read(new DefaultSslBundleRegistry(), setting)))
			.isInstanceOf(RulesNotEnforceableException.class)
			.hasMessageContaining("spring.data.redis." + setting.substring(0, setting.indexOf('.')));
	}

	private Stream<ApplicationContextRunner> applications() {
		return Stream.of(this.ours, this.ours.withClassLoader(new FilteredClassLoader(SPRING_DATA)),
				this.withoutBootsModule);
	}

	@Test
	void theSettingsOfTheApplicationLocateRedis() {
		applications().forEach((application) -> application.run((context) -> assertThat(context).hasNotFailed()
			.getBean(RedisDetails.class)
			.isInstanceOf(ConfiguredRedis.class)));
	}

	@Test
	void theStarterAddsNoBeanOfBootsModule() {
		this.ours.withClassLoader(new FilteredClassLoader(SPRING_DATA))
			.run((context) -> assertThat(context).doesNotHaveBean(DataRedisConnectionDetails.class)
				.doesNotHaveBean(DataRedisProperties.class));
	}

	@Test
	void aConnectionToAUrlWithTlsIsNeverInTheClear() {
		applications().forEach(ConfiguredRedisTests::requireTls);
	}

	private static void requireTls(ApplicationContextRunner application) {
		try (ServerSocket redis = new ServerSocket(0)) {
			redis.setSoTimeout(20_000);
			application
				.withPropertyValues("spring.data.redis.url=rediss://limiter:secret@localhost:" + redis.getLocalPort(),
						"ratelimit.redis.connect-timeout=100ms")
				.run((context) -> {
					assertThat(context.getBean(RateLimitStore.class).describe())
						.contains("localhost:" + redis.getLocalPort());
					try (Socket connection = redis.accept()) {
						assertThat(connection.getInputStream().read()).isEqualTo(TLS_HANDSHAKE);
					}
				});
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** As a bean, which {@code @ServiceConnection} and Docker Compose make, too. */
	@Test
	void connectionDetailsOfTheApplicationOrOfItsContainersWin() {
		Stream
			.of(this.ours.withPropertyValues("spring.data.redis.url=rediss://localhost:2"),
					this.ours.withClassLoader(new FilteredClassLoader(SPRING_DATA))
						.withPropertyValues("spring.data.redis.port=2"))
			.map((application) -> application.withBean(DataRedisConnectionDetails.class, TheirRedis::new)
				.withPropertyValues("ratelimit.rules.login.thresholds=1/1m",
						"ratelimit.rules.login.on-store-failure=deny", "ratelimit.deadline=10s",
						"ratelimit.redis.connect-timeout=10s"))
			.forEach((application) -> application.run(ConfiguredRedisTests::countsInTheirRedis));
	}

	private static void countsInTheirRedis(AssertableApplicationContext context) {
		RateLimiter limiter = context.getBean(RateLimiter.class);
		assertThat(limiter.tryAcquire("login", "10.0.0.1").isAllowed()).isTrue();
		assertThat(limiter.tryAcquire("login", "10.0.0.1").isAllowed()).isFalse();
		assertThat(context.getBean(RateLimitStore.class).describe()).contains(SharedRedis.standalone().address());
		try (Jedis redis = SharedRedis.connect(SharedRedis.standalone())) {
			redis.select(TheirRedis.DATABASE);
			assertThat(redis.keys("*")).contains("rl:{login:i10.0.0.1}:l1");
			redis.flushDB();
		}
	}

	private static final class TheirRedis implements DataRedisConnectionDetails {

		/** Other tests are in the first. */
		static final int DATABASE = 9;

		@Override
		public Standalone getStandalone() {
			return Standalone.of(SharedRedis.standalone().host(), SharedRedis.standalone().port(), DATABASE);
		}

	}

	@Test
	void connectionDetailsThatNameNoRedisToCountOnAreRefused() {
		assertThatThrownBy(() -> new BootRedis(new DataRedisConnectionDetails() {
		}).address()).isInstanceOf(RulesNotEnforceableException.class).hasMessageContaining("names no Redis");
		assertThatThrownBy(() -> new BootRedis(new DataRedisConnectionDetails() {

			@Override
			public MasterReplica getMasterReplica() {
				return List::of;
			}

		}).address()).isInstanceOf(RulesNotEnforceableException.class)
			.hasMessageContaining("spring.data.redis.masterreplica");
	}

	@Test
	@ExtendWith({ OutputCaptureExtension.class, SpeakingLog.class })
	void applicationsWithoutANameAreWarnedThatTheyMayShareTheirCounters(CapturedOutput output) {
		this.ours.withPropertyValues("spring.application.name=shop").run(ConfiguredRedisTests::describe);
		this.ours.withPropertyValues("ratelimit.key-prefix=rl:shop").run(ConfiguredRedisTests::describe);
		assertThat(output).doesNotContain("spring.application.name");
		this.ours.run(ConfiguredRedisTests::describe);
		assertThat(output).containsOnlyOnce("Neither spring.application.name nor ratelimit.key-prefix is set");
	}

	private static void describe(AssertableApplicationContext context) {
		assertThat(context.getBean(RateLimitStore.class).describe()).contains("localhost:1");
	}

	@Test
	void aStoreInMemoryHasNoConnectionDetails() {
		this.ours.withClassLoader(new FilteredClassLoader(SPRING_DATA))
			.withPropertyValues("ratelimit.store=memory")
			.run((context) -> assertThat(context).doesNotHaveBean(RedisDetails.class));
	}

}
