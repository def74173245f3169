package dev.ratelimit.rule.config;

import dev.ratelimit.spi.InvalidSettingsException;
import dev.ratelimit.spi.Problem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.ByteArrayResource;

/**
 * An environment of property sources, each with a lower precedence than the one before.
 */
final class TestSources {

	static final Map<String, Class<?>> GLOBALS = Map.ofEntries(Map.entry("enabled", boolean.class),
			Map.entry("store", String.class), Map.entry("filter.before-security-order", int.class),
			Map.entry("deadline", Duration.class), Map.entry("key-prefix", String.class),
			Map.entry("key-secret", String.class), Map.entry("ipv6-prefix", int.class),
			Map.entry("trusted-proxies", List.class), Map.entry("redis.max-connections", int.class),
			Map.entry("clients.*.rule", String.class), Map.entry("clients.*.hosts", List.class),
			Map.entry("clients.*.key", String.class), Map.entry("clients.*.max-wait", Duration.class),
			Map.entry("places.*.password", String.class));

	private final StandardEnvironment environment = new StandardEnvironment();

	private int count;

	TestSources() {
		MutablePropertySources sources = this.environment.getPropertySources();
		sources.stream().toList().forEach((source) -> sources.remove(source.getName()));
	}

	static TestSources yaml(String text) {
		return new TestSources().andYaml(text);
	}

	TestSources andYaml(String text) {
		try {
			String name = "application-" + ++this.count + ".yml";
			new YamlPropertySourceLoader()
				.load(name, new ByteArrayResource(text.getBytes(StandardCharsets.UTF_8), name))
				.forEach(this.environment.getPropertySources()::addLast);
			return this;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	TestSources andProperties(Map<String, Object> properties) {
		this.environment.getPropertySources().addLast(new MapPropertySource("properties-" + ++this.count, properties));
		return this;
	}

	TestSources andVariables(Map<String, Object> variables) {
		this.environment.getPropertySources()
			.addLast(new SystemEnvironmentPropertySource(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
					variables));
		return this;
	}

	StandardEnvironment environment() {
		return this.environment;
	}

	LoadedRules read() {
		return new EnvironmentRuleSource(this.environment, GLOBALS).read();
	}

	List<Problem> problems() {
		try {
			LoadedRules loaded = read();
			throw new AssertionError("No problem in " + loaded);
		}
		catch (InvalidSettingsException ex) {
			return ex.problems();
		}
	}

}
