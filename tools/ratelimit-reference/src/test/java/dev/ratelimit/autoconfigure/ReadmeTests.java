package dev.ratelimit.autoconfigure;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.rule.config.EnvironmentRuleSource;
import dev.ratelimit.rule.config.SettingTypes;
import dev.ratelimit.rule.lint.RuleLint;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The README and its pages describe the settings as the code defines them.
 */
class ReadmeTests {

	private static final Pattern SAMPLE = Pattern.compile("(?s)```yaml\n(.*?)```");

	private static final Pattern CONTROLLER = Pattern.compile("(?s)```java\n(@RestController.*?)```");

	private static final Pattern KEY = Pattern.compile("(?m)^\\| `([a-z.-]+)`");

	private static final Path ROOT = Path.of("../..");

	private static String read(String page) throws IOException {
		return Files.readString(ROOT.resolve(page));
	}

	@Test
	void everyKeyOfARuleIsExplained() throws IOException {
		String reference = read("docs/reference.md");
		int start = reference.indexOf("## `ratelimit.rules.<id>.*`");
		String rules = reference.substring(start, reference.indexOf("\n## ", start + 1));
		String pages = read("docs/rules.md") + read("docs/queue.md") + read("docs/delay.md");
		assertThat(KEY.matcher(rules).results().map((key) -> key.group(1))).hasSizeGreaterThan(20)
			.allSatisfy((key) -> assertThat(pages).containsPattern("`[^`]*\\b" + key + "\\b"));
	}

	@Test
	void theReadmeIsShort() throws IOException {
		assertThat(read("README.md").lines()).as("lines of the README").hasSizeLessThanOrEqualTo(160);
	}

	@ParameterizedTest
	@CsvSource({ "README.md, login address get-product api failed-payments",
			"docs/rules.md, api failed-payments payments new-accounts reports", "docs/algorithms.md, send-message",
			"docs/live.md, login", "docs/getting-started.md, hello", "docs/migrating.md, users api backend" })
	void everySampleOfRulesIsValid(String page, String ids) throws IOException {
		assertThat(rules(page)).extracting(RLConfig::id).containsExactly(ids.split(" "));
	}

	/** What people copy first follows all the advice of the start. */
	@Test
	void theRulesOfTheReadmeCauseNoWarning() throws IOException {
		assertThat(RuleLint.warnings(new RuleSet(rules("README.md")), DataSize.ofKilobytes(256))).isEmpty();
	}

	@Test
	void theControllerOfTheReadmeIsThatOfTheSample() throws IOException {
		Matcher controller = CONTROLLER.matcher(read("README.md"));
		assertThat(controller.find()).isTrue();
		assertThat(read("ratelimit-sample-app/src/main/java/dev/ratelimit/sample/ReportController.java"))
			.endsWith(controller.group(1));
	}

	private static List<RLConfig> rules(String page) throws IOException {
		Matcher sample = SAMPLE.matcher(read(page));
		List<RLConfig> rules = new ArrayList<>();
		while (sample.find()) {
			StandardEnvironment environment = new StandardEnvironment();
			new YamlPropertySourceLoader()
				.load(page, new ByteArrayResource(sample.group(1).getBytes(StandardCharsets.UTF_8)))
				.forEach(environment.getPropertySources()::addFirst);
			new EnvironmentRuleSource(environment, SettingTypes.of(RateLimitProperties.class)).load()
				.rules()
				.forEach(rules::add);
		}
		return rules;
	}

}
