package dev.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import dev.ratelimit.fixture.Golden;
import dev.ratelimit.rule.config.SettingTypes;
import dev.ratelimit.spi.InvalidSettingsException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

class RateLimitPropertiesTests {

	/** {@code golden/configuration.txt} has the metadata that editors show. */
	@Test
	void theDefaultsAreThoseOfTheMetadata() {
		Map<String, String> defaults = Golden.read("configuration.txt")
			.lines()
			.filter((line) -> line.startsWith("ratelimit.") && !line.startsWith("ratelimit.defaults."))
			.map((line) -> line.split(" ", 3))
			.filter((setting) -> setting.length == 3)
			.collect(Collectors.toMap((setting) -> setting[0], (setting) -> setting[2]));
		assertThat(defaults).containsEntry("ratelimit.deadline", "250ms");
		assertThat(bind(Map.of())).usingRecursiveComparison().isEqualTo(bind(defaults));
	}

	@Test
	void settingsWithoutADefaultAreEmpty() {
		RateLimitProperties properties = bind(Map.of());
		assertThat(properties.keyPrefix()).isNull();
		assertThat(properties.keySecret()).isNull();
		assertThat(properties.fixedInstances()).isEmpty();
		assertThat(properties.trustedProxies()).isEmpty();
		assertThat(properties.exempt().addresses()).isEmpty();
		assertThat(properties.exempt().paths()).isEmpty();
	}

	/** CONF-044 is the first, CONF-047 the first without a time. */
	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "ipv6-prefix | 129 | 129 | is out of range | from 32 to 128",
			"ipv6-prefix | 31 | 31 | is out of range | from 32 to 128",
			"ipv6-prefix | -1 | -1 | is out of range | from 32 to 128",
			"deadline | 0ms | PT0S | is out of range | from 1ms to 1m",
			"deadline | -5ms | PT-0.005S | is out of range | from 1ms to 1m",
			"deadline | 999us | PT0.000999S | is out of range | from 1ms to 1m",
			"deadline | 61s | PT1M1S | is out of range | from 1ms to 1m",
			"deny-cache | -1ms | PT-0.001S | is out of range | from 0ms to 1m",
			"deny-cache | 61s | PT1M1S | is out of range | from 0ms to 1m",
			"redis.connect-timeout | 0 | PT0S | is out of range | from 1ms to 1m",
			"redis.connect-timeout | 106751991167300d | PT2562047788015200H | is out of range | from 1ms to 1m",
			"redis.max-connections | 0 | 0 | is out of range | from 1 to 10000",
			"redis.max-waiting | -1 | -1 | is out of range | from 0 to 100000",
			"redis.max-waiting | 100001 | 100001 | is out of range | from 0 to 100000",
			"instances | 0 | 0 | is no number of instances | from 1 to 10000, or auto",
			"instances | -3 | -3 | is no number of instances | from 1 to 10000",
			"instances | 10001 | 10001 | is no number of instances | from 1 to 10000",
			"instances | Auto | Auto | is no number of instances | or auto",
			"instances | '' | '' | is no number of instances | or auto",
			"breaker.failures | 0 | 0 | is out of range | from 1 to 1000",
			"breaker.open-duration | 0s | PT0S | is out of range | from 1ms to 1m",
			"log-memory-warning | 0 | 0B | is out of range | at least 1B",
			"log-memory-warning | -1KB | -1024B | is out of range | at least 1B",
			"key-prefix | '' | '' | cannot start a Redis key | 1 to 80 bytes",
			"key-prefix | rl:{a} | rl:{a} | cannot start a Redis key | without braces",
			"key-prefix | my shop | my shop | cannot start a Redis key | without braces, blanks",
			"key-prefix | 'a\tb' | a?b | cannot start a Redis key | control characters",
			"key-prefix | ööööööööööööööööööööööööööööööööööööööööö | ööööööööööööööööööööööööööööööööööööööööö | cannot start a Redis key | 1 to 80 bytes",
			"rule-source.jdbc.data-source | rules | rules | has no effect without rule-source.jdbc.table | Name the table",
			"key-secret | ' ' | '' | is empty | long random value",
			"exempt.paths | health | health | does not start with a slash | Write /health",
			"exempt.paths[0] | /a?b | /a?b | contains '?' | without their query",
			"filter.before-security-order | -90 | -90 | is not before the other filter's order -90 | Use a smaller number" })
	void aWrongSettingStopsTheStartWithItsReason(String property, String text, String value, String reason,
			String cure) {
		Throwable thrown = catchThrowable(() -> bind(Map.of("ratelimit." + property, text)));
		assertThat(thrown).rootCause()
			.isInstanceOfSatisfying(InvalidSettingsException.class,
					(ex) -> assertThat(ex.problems()).singleElement().satisfies((problem) -> {
						assertThat(problem.property()).isEqualTo("ratelimit." + property.replace("[0]", ""));
						assertThat(problem.value()).isEqualTo(value);
						assertThat(problem.reason()).contains(reason);
						assertThat(problem.cure()).contains(cure);
					}));
	}

	@ParameterizedTest
	@CsvSource({ "ipv6-prefix,32", "ipv6-prefix,128", "deadline,1ms", "deadline,1m", "deny-cache,0", "deny-cache,1m",
			"key-prefix,rl:größe", "redis.max-connections,1", "instances,10000", "instances,1", "instances,auto",
			"breaker.failures,1", "breaker.open-duration,1m", "redis.max-waiting,0", "log-memory-warning,1B",
			"log-memory-warning,1TB", "exempt.paths,'/health, /static/**'", "headers.ietf,off",
			"headers.ietf,draft-11" })
	void aSettingAtItsEdgeIsAllowed(String property, String text) {
		assertThat(bind(Map.of("ratelimit." + property, text))).isNotNull();
	}

	@Test
	void noTextOfTheSettingsHasASecret() {
		assertThat(bind(Map.of("ratelimit.key-secret", "hidden"))).asString().doesNotContain("hidden");
	}

	@Test
	void instancesMayBeANumber() {
		assertThat(bind(Map.of("ratelimit.instances", "12")).fixedInstances()).hasValue(12);
	}

	@Test
	void theTypesOfAllSettingsAreListedByName() {
		assertThat(SettingTypes.of(RateLimitProperties.class)).containsEntry("ipv6-prefix", int.class)
			.containsEntry("deadline", Duration.class)
			.containsEntry("redis.max-connections", int.class)
			.containsEntry("redis.max-waiting", int.class)
			.containsEntry("exempt.addresses", List.class)
			.containsEntry("headers.reset-format", RateLimitProperties.Headers.ResetFormat.class)
			.doesNotContainKeys("redis", "exempt", "rules");
	}

	private static RateLimitProperties bind(Map<String, String> properties) {
		return new Binder(new MapConfigurationPropertySource(properties)).bindOrCreate("ratelimit",
				RateLimitProperties.class);
	}

}
