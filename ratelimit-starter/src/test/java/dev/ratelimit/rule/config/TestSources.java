package dev.ratelimit.rule.config;

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

	static final Map<String, Class<?>> GLOBALS = Map.of("enabled", boolean.class, "filter.before-security-order",
			int.class, "deadline", Duration.class, "key-prefix", String.class, "key-secret", String.class,
			"ipv6-prefix", int.class, "trusted-proxies", List.class, "redis.max-connections", int.class);

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
