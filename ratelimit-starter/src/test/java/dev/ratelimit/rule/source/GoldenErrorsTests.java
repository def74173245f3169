package dev.ratelimit.rule.source;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.ratelimit.fixture.Golden;
import dev.ratelimit.rule.source.WrongRulesTests.Wrong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The whole text of every error in a setting.
 */
class GoldenErrorsTests {

	private static Stream<String> yaml() {
		return Stream
			.of(WrongRulesTests.thresholds(), WrongRulesTests.paths(), WrongRulesTests.methodsAndKeys(),
					WrongRulesTests.others(), WrongAlgorithmsTests.options(), WrongAlgorithmsTests.bursts(),
					WrongAlgorithmsTests.rates(), WrongAllowancesTests.costs(), WrongAllowancesTests.outcomes(),
					WrongAllowancesTests.plans(), WrongAllowancesTests.overrides(), WrongModesTests.modes(),
					WrongModesTests.options(), WrongOnLimitTests.combinations(), WrongOnLimitTests.options(),
					WrongOnLimitTests.queues(), WrongOnLimitTests.refusals())
			.flatMap((table) -> table)
			.map(Wrong::yaml);
	}

	/** The first column of each row of a test. */
	private static Stream<String> names() {
		return Arrays.stream(WrongNamesTests.class.getDeclaredMethods())
			.filter((method) -> method.isAnnotationPresent(CsvSource.class))
			.sorted(Comparator.comparing(Method::getName))
			.flatMap((method) -> Arrays.stream(method.getAnnotation(CsvSource.class).value()))
			.map((row) -> row.substring(0, row.indexOf(" | ")))
			.map((yaml) -> yaml.startsWith("key:") || !yaml.contains("ratelimit")
					? "ratelimit.rules.login: {" + yaml + "}" : yaml);
	}

	private static String problems(String yaml) {
		return yaml.lines().map("    "::concat).collect(Collectors.joining("\n")) + "\n"
				+ TestSources.yaml(yaml).problems().stream().map(Problem::toString).collect(Collectors.joining("\n"))
				+ "\n\n";
	}

	/** All wrong settings, as YAML. */
	static Stream<String> wrongSettings() {
		return Stream.concat(yaml(), names());
	}

	@Test
	void theErrorsOfWrongSettingsAreUnchanged() {
		Golden.assertUnchanged("wrong-settings.txt",
				wrongSettings().map(GoldenErrorsTests::problems).collect(Collectors.joining()));
	}

}
