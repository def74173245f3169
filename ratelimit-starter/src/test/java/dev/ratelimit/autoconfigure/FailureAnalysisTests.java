package dev.ratelimit.autoconfigure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

import dev.ratelimit.rule.config.EnvironmentRuleSource;
import dev.ratelimit.rule.config.SettingTypes;
import dev.ratelimit.spi.RulesNotEnforceableException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.ByteArrayResource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * The output that a user sees when the start fails.
 */
@ExtendWith(OutputCaptureExtension.class)
class FailureAnalysisTests {

	@Test
	void allWrongRulesAreNamedWithTheirCures(CapturedOutput output) {
		fail(Rules.class, """
				ratelimit:
				  rules:
				    login:
				      methods: PO:ST
				      paths: /login
				      thresholds: 5/1M
				""");
		assertThat(output).containsSubsequence("APPLICATION FAILED TO START", "Description:",
				"2 rate limit settings are not valid:", "1. Property: ratelimit.rules.login.methods",
				"Value: \"PO:ST\"", "Origin: Byte array resource [my.yml] - 4:16", "Reason: is not an HTTP method",
				"2. Property: ratelimit.rules.login.thresholds", "Value: \"5/1M\"",
				"Origin: Byte array resource [my.yml] - 6:19", "Reason: has a window that has an unknown unit",
				"Action:", "Change your application's configuration:",
				"1. ratelimit.rules.login.methods: Write names such as GET, POST or QUERY",
				"2. ratelimit.rules.login.thresholds: Write a duration from 1ms to 400d");
		assertThat(output).doesNotContain("InvalidSettingsException");
	}

	@Test
	void aWrongSettingBesideTheRulesIsNamedWithItsPlace(CapturedOutput output) {
		fail(Properties.class, """
				ratelimit:
				  ipv6-prefix: 129
				""");
		assertThat(output).containsSubsequence("A rate limit setting is not valid:",
				"1. Property: ratelimit.ipv6-prefix", "Value: \"129\"", "Origin: Byte array resource [my.yml] - 2:16",
				"Reason: is out of range", "Action:", "1. ratelimit.ipv6-prefix: Use a whole number from 32 to 128.");
	}

	@Test
	void rulesThatCannotBeEnforcedAreExplained(CapturedOutput output) {
		fail(NotEnforceable.class, "");
		assertThat(output).containsSubsequence("APPLICATION FAILED TO START",
				"There are rate limit rules, but they cannot be enforced. There is no Redis.", "Action:",
				"Add spring-boot-starter-data-redis.");
	}

	@Test
	void theExceptionOfRulesThatCannotBeEnforcedIsReadableByItself() {
		assertThat(new RulesNotEnforceableException("There is no Redis", "Add spring-boot-starter-data-redis"))
			.hasMessage("There are rate limit rules, but they cannot be enforced. There is no Redis. "
					+ "Add spring-boot-starter-data-redis.");
	}

	@Test
	void theMessageOfTheExceptionIsReadableByItself() {
		StandardEnvironment environment = new StandardEnvironment();
		environment.getPropertySources().addFirst(yaml("ratelimit.rules.login.thresholds: 5/1M\n"));
		assertThat(catchThrowable(
				() -> new EnvironmentRuleSource(environment, SettingTypes.of(RateLimitProperties.class)).load()))
			.hasMessageContainingAll("Rate limit settings are not valid:",
					"ratelimit.rules.login.thresholds '5/1M' (Byte array resource [my.yml] - 1:35) has a window that has an unknown unit",
					"Write a duration from 1ms to 400d");
	}

	private static void fail(Class<?> configuration, String yaml) {
		SpringApplication application = new SpringApplication(configuration);
		application.setWebApplicationType(WebApplicationType.NONE);
		application.addInitializers((context) -> {
			if (!yaml.isEmpty()) {
				context.getEnvironment().getPropertySources().addFirst(yaml(yaml));
			}
		});
		assertThat(catchThrowable(application::run)).isNotNull();
	}

	private static PropertySource<?> yaml(String text) {
		try {
			List<PropertySource<?>> sources = new YamlPropertySourceLoader().load("my.yml",
					new ByteArrayResource(text.getBytes(StandardCharsets.UTF_8), "my.yml"));
			return sources.get(0);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Configuration(proxyBeanMethods = false)
	static class Rules {

		@Bean
		EnvironmentRuleSource ruleSource(ConfigurableEnvironment environment) {
			EnvironmentRuleSource source = new EnvironmentRuleSource(environment,
					SettingTypes.of(RateLimitProperties.class));
			source.load();
			return source;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableConfigurationProperties(RateLimitProperties.class)
	static class Properties {

	}

	@Configuration(proxyBeanMethods = false)
	static class NotEnforceable {

		@Bean
		Object limiter() {
			throw new RulesNotEnforceableException("There is no Redis", "Add spring-boot-starter-data-redis");
		}

	}

}
