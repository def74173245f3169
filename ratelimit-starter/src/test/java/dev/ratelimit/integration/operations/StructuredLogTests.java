package dev.ratelimit.integration.operations;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

import dev.ratelimit.RateLimiter;
import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.RuleFiles;
import dev.ratelimit.integration.support.TestApplication;
import dev.ratelimit.support.LogFields;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * With the structured logging of Boot, lines have the fields that docs/operations.md
 * lists, and none of them identifies a client.
 */
class StructuredLogTests {

	private static final Pattern ROW = Pattern.compile("(?m)^\\| `(ratelimit\\.[a-z]+)` \\|");

	@TempDir
	private Path directory;

	private Optional<JsonNode> line(Path log, String message) throws IOException {
		try (var lines = Files.lines(log)) {
			return lines.map(JsonMapper.shared()::readTree)
				.filter((line) -> line.get("message").asString().contains(message))
				.findFirst();
		}
	}

	@ParameterizedTest
	@CsvSource({ "ecs, /ratelimit/", "logstash, /ratelimit." })
	void linesHaveFields(String format, String fields) throws IOException {
		Path log = this.directory.resolve("app.log");
		Path rules = Files.writeString(this.directory.resolve("rules.yml"), "ratelimit.rules.login.thresholds: 5/1m");
		try (ConfigurableApplicationContext app = new SpringApplicationBuilder(TestApplication.class)
			.web(WebApplicationType.NONE)
			.run(App.NO_SECURITY, "--logging.structured.format.file=" + format, "--logging.file.name=" + log,
					"--logging.level.dev.ratelimit.decisions=debug", "--spring.data.redis.port=1",
					"--ratelimit.key-prefix=it", "--ratelimit.rules.login.key=header:X-Client",
					"--ratelimit.rules.login.thresholds=5/1m", "--ratelimit.rule-source.file=" + rules)) {
			JsonNode start = line(log, "Rate limiting is on: 1 rule").orElseThrow();
			assertThat(start.at(fields + "rules").asInt()).isEqualTo(1);
			assertThat(start.at(fields + "store").asString()).contains("Redis");
			assertThat(app.getBean(RateLimiter.class).tryAcquire("login", "mallory").isAllowed()).isTrue();
			JsonNode decision = line(log, "Rule login, key ").orElseThrow();
			assertThat(List.of("rule", "outcome", "source"))
				.extracting((field) -> decision.at(fields + field).asString())
				.containsExactly("login", "allowed", "local");
			Awaitility.await().until(() -> line(log, "does not answer").isPresent());
			JsonNode outage = line(log, "does not answer").orElseThrow();
			assertThat(outage.at(fields + "store").asString()).contains("Redis");
			assertThat(outage.at(fields + "reason").asString()).matches("[a-z_]+");
			RuleFiles.replace(rules, "ratelimit.rules: {upload: {thresholds: 5/1m}, login: {thresholds: 6/1m}}");
			Awaitility.await().until(() -> line(log, "rules have changed").isPresent());
			JsonNode change = line(log, "rules have changed").orElseThrow();
			assertThat(change.at(fields + "added").toString()).isEqualTo("[\"upload\"]");
			assertThat(change.at(fields + "changed").toString()).isEqualTo("[\"login\"]");
			assertThat(change.at(fields + "source").toString()).isEqualTo("[\"file\"]");
			assertThat(Files.readString(log)).doesNotContain("mallory");
		}
	}

	@Test
	void theFieldsAreDocumented() throws IOException {
		List<String> documented = ROW.matcher(Files.readString(Path.of("../docs/operations.md")))
			.results()
			.map((row) -> row.group(1))
			.toList();
		assertThat(LogFields.class.getFields()).extracting(StructuredLogTests::key)
			.containsExactlyInAnyOrderElementsOf(documented);
	}

	private static String key(Field constant) {
		try {
			return String.valueOf(constant.get(null));
		}
		catch (IllegalAccessException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
