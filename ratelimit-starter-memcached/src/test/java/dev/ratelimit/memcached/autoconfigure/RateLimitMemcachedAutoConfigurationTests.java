package dev.ratelimit.memcached.autoconfigure;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

import dev.ratelimit.RateLimiter;
import dev.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import dev.ratelimit.memcached.MemcachedServer;
import dev.ratelimit.memcached.MemcachedStore;
import dev.ratelimit.memcached.ScriptedServer;
import dev.ratelimit.memcached.meta.Tls;
import dev.ratelimit.spi.InvalidSettingsException;
import dev.ratelimit.spi.RulesNotEnforceableException;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.memory.MemoryStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.NoSuchSslBundleException;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundleKey;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.ssl.SslOptions;
import org.springframework.boot.ssl.SslStoreBundle;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application that counts in Memcached, and what stops its start.
 */
@ExtendWith(OutputCaptureExtension.class)
class RateLimitMemcachedAutoConfigurationTests {

	private static MemcachedServer server;

	private final ApplicationContextRunner unnamed = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(RateLimitAutoConfiguration.class, RateLimitMemcachedAutoConfiguration.class))
		.withPropertyValues("spring.application.name=shop", "ratelimit.store=memcached", "ratelimit.instances=2",
				"ratelimit.rules.login.thresholds=2/1m", "ratelimit.rules.login.algorithm=fixed-window",
				"ratelimit.rules.login.key=global");

	private final ApplicationContextRunner absent = this.unnamed
		.withPropertyValues("ratelimit.memcached.nodes=127.0.0.1:1");

	@BeforeAll
	static void start() {
		server = MemcachedServer.start();
	}

	@AfterAll
	static void stop() {
		if (server != null) {
			server.close();
		}
	}

	private ApplicationContextRunner present() {
		return this.absent.withPropertyValues("ratelimit.memcached.nodes=127.0.0.1:" + server.port());
	}

	@ParameterizedTest
	@ValueSource(strings = { "memcached", "MEMCACHED" })
	void countsUnderTheNameOfTheApplication(String store) {
		server.restart();
		present().withPropertyValues("ratelimit.store=" + store).run((context) -> {
			assertThat(context).hasSingleBean(RateLimitStore.class).hasSingleBean(MemcachedStore.class);
			RateLimiter limiter = context.getBean(RateLimiter.class);
			assertThat(limiter.tryAcquire("login").isAllowed()).isTrue();
			assertThat(limiter.tryAcquire("login").isAllowed()).isTrue();
			assertThat(limiter.tryAcquire("login").isAllowed()).isFalse();
		});
		assertThat(server.keys()).singleElement().asString().startsWith("rl:shop:login:").endsWith(":f1:60");
	}

	@ParameterizedTest
	@ValueSource(strings = { "fixed-window", "sliding-window-counter" })
	void instancesOfASyncedRuleStayWithinItsOvershoot(String algorithm) {
		String rule = "ratelimit.rules." + algorithm;
		ApplicationContextRunner instance = present().withPropertyValues(rule + ".algorithm=" + algorithm,
				rule + ".mode=synced", rule + ".key=global", rule + ".thresholds=100/1d");
		instance.run((one) -> instance.run((other) -> {
			long admitted = IntStream.range(0, 300)
				.filter((
						i) -> ((i % 2 == 0) ? one : other).getBean(RateLimiter.class).tryAcquire(algorithm).isAllowed())
				.count();
			assertThat(admitted).isBetween(100L, 110L);
		}));
	}

	@Test
	void serversMayBeAbsentAtTheStart() {
		this.absent.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(MemcachedStore.class));
	}

	@Test
	void theConfigurationOfThePageStarts() throws IOException {
		String page = Files.readString(Path.of("../docs/memcached.md"));
		int yaml = page.indexOf("```yaml") + "```yaml".length();
		ByteArrayResource configuration = new ByteArrayResource(
				page.substring(yaml, page.indexOf("```", yaml)).getBytes(StandardCharsets.UTF_8));
		List<PropertySource<?>> sources = new YamlPropertySourceLoader().load("page", configuration);
		new ApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(RateLimitAutoConfiguration.class, RateLimitMemcachedAutoConfiguration.class))
			.withPropertyValues("ratelimit.memcached.nodes=127.0.0.1:1")
			.withInitializer((context) -> sources.forEach(context.getEnvironment().getPropertySources()::addLast))
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(MemcachedStore.class));
	}

	@Test
	void anotherStoreIsWarnedOfWhereServersAreNamed(CapturedOutput output) {
		this.absent.withPropertyValues("ratelimit.store=memory")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(MemcachedStore.class));
		assertThat(output).containsOnlyOnce("ratelimit.memcached.nodes (")
			.contains("has no effect, because ratelimit.store is memory. Set it to memcached, or remove the settings");
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "CIRCUIT_OPEN")
	void thePageNamesEveryFailureOfAServer(StoreFailure failure) throws IOException {
		String page = Files.readString(Path.of("../docs/memcached.md"));
		assertThat(page.substring(page.indexOf("## When it fails"))).contains("| `" + failure + "` |");
	}

	@Test
	void aStoreOfTheApplicationReplacesIt() {
		this.absent.withBean("mine", RateLimitStore.class,
				() -> new MemcachedStore(MemcachedServer.connections(server.address()).open(), "rl",
						InstantSource.system(), (rule, acknowledged) -> {
						}))
			.run((context) -> assertThat(context).hasSingleBean(RateLimitStore.class).hasBean("mine"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "thresholds=2/1500ms", "thresholds=2/30d" })
	void aStoreOfTheApplicationMayEnforceWhatMemcachedCannot(String setting) {
		this.absent.withBean("mine", RateLimitStore.class, () -> new MemoryStore(InstantSource.system()))
			.withPropertyValues("ratelimit.rules.login." + setting)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					algorithm=sliding-window-log | has algorithm sliding-window-log | [fixed-window, sliding-window-counter]
					algorithm=token-bucket       | has algorithm token-bucket       | [fixed-window, sliding-window-counter]
					mode=leased                  | has mode leased                  | Use mode strict or synced
					thresholds=2/1500ms          | has a window of 1500ms           | whole seconds
					thresholds=2/30d             | has a window of 30d              | at most 29d
					plan-key=header:Plan ratelimit.rules.login.plans.paid=9/100ms | has a window of 100ms            | whole seconds
					""")
	void whatMemcachedCannotEnforceStopsTheStart(String setting, String reason, String cure) {
		this.absent.withPropertyValues(("ratelimit.rules.login." + setting).split(" "))
			.run(stops(RulesNotEnforceableException.class, reason, cure));
	}

	@Test
	void aServerThatIsTooOldStopsTheStart() throws IOException {
		try (ScriptedServer old = new ScriptedServer("1.6.9", UnaryOperator.identity())) {
			this.unnamed.withPropertyValues("ratelimit.memcached.nodes=" + old.address())
				.run(stops(RulesNotEnforceableException.class,
						"Memcached at " + old.address() + " has version 1.6.9, and 1.6.12 or newer is needed",
						"Update the server"));
		}
	}

	@Test
	void aShareOfALimitNeedsTheNumberOfInstances() {
		this.absent.withPropertyValues("ratelimit.instances=auto")
			.run(stops(RulesNotEnforceableException.class, "has on-store-failure local", "Set ratelimit.instances"));
		this.absent.withPropertyValues("ratelimit.instances=auto", "ratelimit.rules.login.on-store-failure=allow")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					nodes=a:b             | ratelimit.memcached.nodes 'a:b' is no address           | Write host:port
					max-connections=0     | ratelimit.memcached.max-connections '0' is out of range | 1 to 10000
					connect-timeout=2m    | ratelimit.memcached.connect-timeout 'PT2M'              | 1ms to 1m
					username=limiter      | ratelimit.memcached.username '' needs a password        | Set both
					max-conections=3      | ratelimit.memcached.max-conections '3'                  | Did you mean memcached.max-connections
					""")
	void aWrongSettingStopsTheStart(String setting, String reason, String cure) {
		this.absent.withPropertyValues("ratelimit.memcached." + setting)
			.run(stops(InvalidSettingsException.class, reason, cure));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			a b | secret | ratelimit.memcached.username 'a b' is empty or has a blank
			''  | secret | ratelimit.memcached.username '' is empty or has a blank
			a   | sec ret | ratelimit.memcached.password '' is empty or has a blank
			a   | ''     | ratelimit.memcached.password '' is empty or has a blank
			""")
	void aUserThatMemcachedCannotHaveStopsTheStart(String username, String password, String reason) {
		this.absent
			.withPropertyValues("ratelimit.memcached.username=" + username, "ratelimit.memcached.password=" + password)
			.run(stops(InvalidSettingsException.class, reason, "Choose one without blanks and control characters"));
	}

	@Test
	void thePasswordIsInNoText() {
		assertThat(new MemcachedProperties(List.of("cache"), 1, 2, Duration.ofSeconds(3), "limiter", "secret",
				new MemcachedProperties.Ssl(null)))
			.hasToString("MemcachedProperties[nodes=[cache], maxConnections=1, maxWaiting=2, connectTimeout=PT3S, "
					+ "username=limiter, ssl=Ssl[bundle=null]]");
	}

	@Test
	void aBundleThatIsMissingStopsTheStart() {
		this.absent.withConfiguration(AutoConfigurations.of(SslAutoConfiguration.class))
			.withPropertyValues("ratelimit.memcached.ssl.bundle=none")
			.run(stops(NoSuchSslBundleException.class, "none", "cannot be found"));
	}

	@Test
	void whatIsReloadedOfABundleAppliesToTheNextConnection() {
		DefaultSslBundleRegistry bundles = new DefaultSslBundleRegistry("cache", options("TLSv1.2"));
		StaticListableBeanFactory beans = new StaticListableBeanFactory(Map.of("sslBundles", bundles));
		Tls tls = RateLimitMemcachedAutoConfiguration
			.tls(new MemcachedProperties.Ssl("cache"), beans.getBeanProvider(SslBundles.class))
			.orElseThrow();
		assertThat(tls.parameters().get().getProtocols()).containsExactly("TLSv1.2");
		bundles.updateBundle("cache", options("TLSv1.3"));
		assertThat(tls.parameters().get().getProtocols()).containsExactly("TLSv1.3");
	}

	private static SslBundle options(String protocol) {
		return SslBundle.of(SslStoreBundle.NONE, SslBundleKey.NONE, SslOptions.of(null, Set.of(protocol)));
	}

	@Test
	void withoutAServerThereIsNothingToCountOn() {
		this.unnamed.run(stops(RulesNotEnforceableException.class, "ratelimit.memcached.nodes names no server",
				"List the servers"));
	}

	private static ContextConsumer<AssertableApplicationContext> stops(Class<? extends Exception> type, String reason,
			String cure) {
		return (context) -> {
			Throwable cause = context.getStartupFailure();
			while (cause != null && !type.isInstance(cause)) {
				cause = cause.getCause();
			}
			assertThat(cause).isNotNull().hasMessageContaining(reason).hasMessageContaining(cure);
		};
	}

}
