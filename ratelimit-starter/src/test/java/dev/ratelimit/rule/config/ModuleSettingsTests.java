package dev.ratelimit.rule.config;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import dev.ratelimit.spi.Problem;
import dev.ratelimit.spi.RateLimitModule;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A module on the class path contributes the names of its settings.
 */
class ModuleSettingsTests {

	private static final String RULE = "ratelimit.rules.a.thresholds: 5/1m\n";

	@TempDir
	private Path module;

	@BeforeEach
	void create() throws IOException {
		Files.createDirectory(this.module.resolve("META-INF"));
		Files.writeString(this.module.resolve("META-INF/spring.factories"),
				RateLimitModule.class.getName() + "=" + Memo.class.getName());
	}

	private <T> T withModule(Supplier<T> action) throws IOException {
		Thread thread = Thread.currentThread();
		ClassLoader before = thread.getContextClassLoader();
		try (URLClassLoader classPath = new URLClassLoader(new URL[] { url() }, before)) {
			thread.setContextClassLoader(classPath);
			return action.get();
		}
		finally {
			thread.setContextClassLoader(before);
		}
	}

	private URL url() throws MalformedURLException {
		return this.module.toUri().toURL();
	}

	@Test
	void aSettingOfAModuleIsKnownWhereTheModuleIs() throws IOException {
		String yaml = RULE + "ratelimit.memo: {servers: [a, b], max-connections: 3}\n";
		assertThat(TestSources.yaml(yaml).problems()).extracting(Problem::property)
			.containsExactly("ratelimit.memo.servers[0]", "ratelimit.memo.servers[1]",
					"ratelimit.memo.max-connections");
		assertThat(withModule(() -> TestSources.yaml(yaml).read()).rules().rules()).hasSize(1);
	}

	@Test
	void aSettingOfAModuleIsCheckedLikeOurs() throws IOException {
		assertThat(withModule(
				() -> TestSources.yaml(RULE + "ratelimit.memo: {max-connections: 1.5, server: a}\n").problems()))
			.extracting(Problem::toString)
			.satisfiesExactlyInAnyOrder(
					(number) -> assertThat(number).contains("max-connections '1.5'", "whole number"),
					(unknown) -> assertThat(unknown).contains("memo.server 'a'", "Did you mean memo.servers?"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "redis", "memory", "" })
	void settingsOfAStoreThatIsNotChosenCauseAWarning(String store) throws IOException {
		String chosen = store.isEmpty() ? "" : "ratelimit.store: " + store + "\n";
		String yaml = RULE + chosen + "ratelimit.memcached: {nodes: cache-1, max-waiting: 3}\n";
		assertThat(withModule(() -> TestSources.yaml(yaml).read()).warnings()).singleElement()
			.asString()
			.matches("ratelimit\\.memcached\\.nodes \\(.*application-1\\.yml] - [23]:30\\) has no effect, "
					+ "because ratelimit\\.store is " + (store.isEmpty() ? "redis" : store)
					+ "\\. Set it to memcached, or remove the settings below ratelimit\\.memcached");
	}

	@ParameterizedTest
	@ValueSource(strings = { "memcached", "MEMCACHED ", "${store}" })
	void settingsOfTheChosenStoreCauseNone(String store) throws IOException {
		String yaml = RULE + "store: memcached\nratelimit.store: '" + store + "'\nratelimit.memcached.nodes: a\n";
		assertThat(withModule(() -> TestSources.yaml(yaml).read()).warnings()).isEmpty();
	}

	static class Memo implements RateLimitModule {

		@Override
		public String artifact() {
			return "memo";
		}

		@Override
		public Map<String, Class<? extends Record>> settings() {
			return Map.of("memo", Servers.class, "memcached", Memcached.class);
		}

	}

	record Servers(List<String> servers, int maxConnections) {
	}

	record Memcached(List<String> nodes, int maxWaiting) {
	}

}
