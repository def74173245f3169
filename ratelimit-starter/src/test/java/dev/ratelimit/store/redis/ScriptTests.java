package dev.ratelimit.store.redis;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import dev.ratelimit.integration.support.TestApplication;
import dev.ratelimit.store.redis.resp.Script;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.aot.AotServices;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.io.DefaultResourceLoader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * The scripts as resources.
 */
class ScriptTests {

	@ParameterizedTest
	@EnumSource(StoredFormat.class)
	@DisplayName("E5, E9, 4.9: the shipped script differs from the tested one by its clock only, which is Redis' own")
	void onlyTheClockIsExchangedInTests(StoredFormat format) {
		String clock = Script.read("Clock.lua");
		assertThat(AlgorithmScripts.load().get(format).take().text()).asString(StandardCharsets.UTF_8)
			.isEqualTo(InjectedTime.script(format).replace(InjectedTime.CLOCK, clock));
		assertThat(clock).contains("redis.call('TIME')").doesNotContain("ARGV");
		assertThat(InjectedTime.script(format)).doesNotContain("TIME'");
		assertThat(InjectedTime.CLOCK).contains("ARGV[#ARGV]").doesNotContain("redis.");
	}

	@Test
	void aScriptIsIdentifiedByTheSha1OfItsText() {
		assertThat(Script.of("return 1").sha()).asString(StandardCharsets.US_ASCII)
			.isEqualTo("e0e1f9fabfc9d4800c877a703b823ac0578ff8db");
	}

	@Test
	@DisplayName("1.20: an application whose script is missing does not start, and the error names the script")
	void anApplicationWithoutAScriptDoesNotStart() throws Exception {
		String script = "dev/ratelimit/store/redis/SlidingWindowLog.lua";
		ClassLoader before = Thread.currentThread().getContextClassLoader();
		try (URLClassLoader classes = new Hiding(script)) {
			Thread.currentThread().setContextClassLoader(classes);
			SpringApplication application = new SpringApplication(new DefaultResourceLoader(classes),
					classes.loadClass(TestApplication.class.getName()));
			application.setWebApplicationType(WebApplicationType.NONE);
			Throwable failure = catchThrowable(
					() -> application.run("--spring.data.redis.port=1", "--ratelimit.rules.api.thresholds=1/1m")
						.close());
			assertThat(failure).isInstanceOf(BeanCreationException.class);
			assertThat(NestedExceptionUtils.getMostSpecificCause(failure)).isInstanceOf(IllegalStateException.class)
				.hasMessageContaining("The Lua script " + script + " is missing from the class path");
		}
		finally {
			Thread.currentThread().setContextClassLoader(before);
		}
	}

	@Test
	void aNativeImageContainsTheScripts() throws IOException {
		RuntimeHints hints = new RuntimeHints();
		AotServices.factories()
			.load(RuntimeHintsRegistrar.class)
			.asList()
			.forEach((registrar) -> registrar.registerHints(hints, getClass().getClassLoader()));
		assertThat(scripts()).contains("Clock.lua", "SlidingWindowLog.lua", "Eviction.lua")
			.allSatisfy((script) -> assertThat(
					RuntimeHintsPredicates.resource().forResource("dev/ratelimit/store/redis/" + script))
				.accepts(hints));
	}

	private static List<String> scripts() throws IOException {
		try (Stream<Path> files = Files.list(Path.of("src/main/resources/dev/ratelimit/store/redis"))) {
			return files.map((file) -> file.getFileName().toString()).toList();
		}
	}

	/** Loads the classes of the limiter anew, which do not find a resource. */
	private static final class Hiding extends URLClassLoader {

		private final String resource;

		Hiding(String resource) {
			super(Stream.of(ScriptTests.class, Script.class)
				.map((type) -> type.getProtectionDomain().getCodeSource().getLocation())
				.toArray(URL[]::new), ScriptTests.class.getClassLoader());
			this.resource = resource;
		}

		@Override
		protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
			if (!name.startsWith("dev.ratelimit.")) {
				return super.loadClass(name, resolve);
			}
			synchronized (getClassLoadingLock(name)) {
				Class<?> known = findLoadedClass(name);
				return (known != null) ? known : findClass(name);
			}
		}

		@Override
		public URL getResource(String name) {
			return name.equals(this.resource) ? null : super.getResource(name);
		}

	}

}
