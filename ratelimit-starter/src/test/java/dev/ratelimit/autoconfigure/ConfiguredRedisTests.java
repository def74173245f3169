package dev.ratelimit.autoconfigure;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.ratelimit.fixture.SpeakingLog;
import dev.ratelimit.store.RateLimitStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * An application without Spring Data configures the limiter's Redis as one with it does:
 * Boot's own reading of the settings is the oracle.
 */
class ConfiguredRedisTests {

	private static final String BUNDLE = "spring.ssl.bundle.jks.ours.truststore.location=file:"
			+ System.getProperty("java.home") + "/lib/security/cacerts";

	private static final int TLS_HANDSHAKE = 22;

	private final ApplicationContextRunner boots = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(SslAutoConfiguration.class, DataRedisAutoConfiguration.class));

	private final ApplicationContextRunner ours = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(SslAutoConfiguration.class, DataRedisAutoConfiguration.class,
				RateLimitAutoConfiguration.class))
		.withPropertyValues("spring.data.redis.port=1", "ratelimit.redis.connect-timeout=1ms");

	@ParameterizedTest
	@ValueSource(strings = { "", "host=redis.internal port=7000 database=3 username=limiter password=secret",
			"url=redis://redis.internal:7000", "url=redis://redis.internal:7000/", "url=redis://redis.internal:7000/4",
			"url=redis://limiter:secret@redis.internal:7000/4 host=ignored username=ignored password=ignored",
			"url=redis://secret@redis.internal:7000", "url=redis://:secret@redis.internal:7000",
			"url=redis://limiter:se%3Acr%40et@redis.internal:7000",
			"password=secret cluster.nodes=a:7000,b:7001,[::1]:7002",
			"database=2 sentinel.master=shop sentinel.nodes=a:26379,b:26380 sentinel.username=s sentinel.password=t",
			"url=redis://redis.internal:7000/4 sentinel.master=shop sentinel.nodes=a:26379",
			"masterreplica.nodes=a:7000,b:7001", "ssl.enabled=true", "ssl.bundle=ours",
			"ssl.bundle=ours ssl.enabled=false" })
	void theSettingsAreReadAsBootReadsThem(String settings) {
		String[] properties = settings.isEmpty() ? new String[0] : settings.split(" ", -1);
		this.boots.withPropertyValues(BUNDLE)
			.withPropertyValues(prefixed(properties))
			.run((context) -> assertThat(described(read(context.getBean(SslBundles.class), properties)))
				.isEqualTo(described(context.getBean(DataRedisConnectionDetails.class))));
	}

	private static String[] prefixed(String... properties) {
		return List.of(properties).stream().map((property) -> "spring.data.redis." + property).toArray(String[]::new);
	}

	private static ConfiguredRedis read(SslBundles bundles, String... properties) {
		MapConfigurationPropertySource source = new MapConfigurationPropertySource();
		for (String property : prefixed(properties)) {
			int equals = property.indexOf('=');
			source.put(property.substring(0, equals), property.substring(equals + 1));
		}
		return new ConfiguredRedis(new Binder(source).bindOrCreate("spring.data.redis", DataRedisProperties.class),
				bundles);
	}

	private static List<Object> described(DataRedisConnectionDetails details) {
		List<Object> described = new ArrayList<>();
		described.add(List.of("user " + details.getUsername(), "password " + details.getPassword()));
		described.add(List.of(details.getStandalone().getHost(), details.getStandalone().getPort(),
				details.getStandalone().getDatabase()));
		if (details.getCluster() != null) {
			described.add(Map.of("cluster", details.getCluster().getNodes()));
		}
		if (details.getMasterReplica() != null) {
			described.add(Map.of("replicas", details.getMasterReplica().getNodes()));
		}
		if (details.getSentinel() != null) {
			DataRedisConnectionDetails.Sentinel sentinel = details.getSentinel();
			described.add(List.of(sentinel.getMaster(), sentinel.getDatabase(), sentinel.getNodes(),
					"user " + sentinel.getUsername(), "password " + sentinel.getPassword()));
		}
		SslBundle bundle = details.getSslBundle();
		described.add((bundle == null) ? "in the clear"
				: (bundle.getStores().getTrustStore() == null) ? "of the system" : bundle);
		return described;
	}

	@Test
	void aPortMayBeLeftOutOfAUrl() {
		assertThat(read(new DefaultSslBundleRegistry(), "url=redis://redis.internal").getStandalone().getPort())
			.isEqualTo(6379);
	}

	@Test
	void aUrlWithTlsIsNeverReadAsOneWithout() {
		assertThat(read(new DefaultSslBundleRegistry(), "url=rediss://redis.internal").getSslBundle()).isNotNull();
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
			"cluster.max-redirects=3" })
	void aMissingSettingIsNamed(String setting) {
		ConfiguredRedis redis = read(new DefaultSslBundleRegistry(), setting);
		assertThatThrownBy(() -> described(redis)).isInstanceOf(RulesNotEnforceableException.class)
			.hasMessageContaining("spring.data.redis." + setting.substring(0, setting.indexOf('.')));
	}

	@Test
	void itIsUsedOnlyWithoutSpringData() {
		this.ours.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(ConfiguredRedis.class));
		this.ours.withClassLoader(new FilteredClassLoader("org.springframework.data"))
			.run((context) -> assertThat(context).hasSingleBean(DataRedisConnectionDetails.class)
				.hasSingleBean(ConfiguredRedis.class)
				.doesNotHaveBean(DataRedisProperties.class));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "org.springframework.data" })
	void aConnectionToAUrlWithTlsIsNeverInTheClear(String absent) throws IOException {
		try (ServerSocket redis = new ServerSocket(0)) {
			redis.setSoTimeout(20_000);
			this.ours.withClassLoader(new FilteredClassLoader(absent.isEmpty() ? "none" : absent))
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
	}

	@Test
	void connectionDetailsOfTheApplicationOrOfItsContainersWin() {
		DataRedisConnectionDetails theirs = new DataRedisConnectionDetails() {

			@Override
			public Standalone getStandalone() {
				return Standalone.of("localhost", 1);
			}

		};
		this.ours.withClassLoader(new FilteredClassLoader("org.springframework.data"))
			.withBean(DataRedisConnectionDetails.class, () -> theirs)
			.run((context) -> assertThat(context).getBean(DataRedisConnectionDetails.class).isSameAs(theirs));
		this.ours.withPropertyValues("spring.data.redis.url=rediss://localhost:2")
			.withBean(DataRedisConnectionDetails.class, () -> theirs)
			.run(ConfiguredRedisTests::describe);
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
		this.ours.withClassLoader(new FilteredClassLoader("org.springframework.data"))
			.withPropertyValues("ratelimit.store=memory")
			.run((context) -> assertThat(context).doesNotHaveBean(DataRedisConnectionDetails.class));
	}

}
