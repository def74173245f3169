package dev.ratelimit.rule.config;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A list of configurations that rate limiters are known to get wrong, numbered CONF-001
 * to CONF-049, and of costs, numbered COST-001 to COST-006, and where each is covered.
 */
class ConfigEntriesTests {

	/** By number: refused, as {@code golden/wrong-settings.txt} shows. */
	private static final List<Integer> REFUSED = List.of(1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 14, 17, 18, 20, 23, 24, 26,
			27, 28, 29, 30, 31, 32, 33, 36, 38, 39, 40, 45);

	/** By number: the test that covers it. */
	private static final Map<Integer, String> TESTED = Map.ofEntries(
			Map.entry(7, "config.ReadRulesTests.windowsArePreciseToTheMillisecond"),
			Map.entry(13, "config.ReadRulesTests.windowsArePreciseToTheMillisecond"),
			Map.entry(15, "config.ReadRulesTests.windowsArePreciseToTheMillisecond"),
			Map.entry(16, "config.ReadRulesTests.windowsArePreciseToTheMillisecond"),
			Map.entry(19, "lint.RuleLintTests.aThresholdThatCanNeverBeReachedIsReported"),
			Map.entry(22, "config.ReadRulesTests.registeredMethodsAreTheSameInEitherCaseAndOthersAreTakenLiterally"),
			Map.entry(34, "config.WrongNamesTests.anIdOfAWrongFormStopsTheStart"),
			Map.entry(35, "config.WrongNamesTests.anIdOfAWrongFormStopsTheStart"),
			Map.entry(37, "lint.RuleLintTests.aConfigurationWithoutRulesIsReported"),
			Map.entry(48, "config.ReadRulesTests.theShortestRuleHasTheDocumentedDefaults"));

	/** By number: why it is not covered in this package. */
	private static final Map<Integer, String> ELSEWHERE = Map.of(21,
			"a method of no registry is taken literally, and named at the start (RateLimitAutoConfigurationTests)", 25,
			"a misplaced ** is found where patterns are compiled", 41, "addresses are read by the limiter", 42,
			"addresses are read by the limiter", 43, "addresses are read by the limiter", 44,
			"RateLimitPropertiesTests in the package of the properties", 46, "a key is no expression: refused like 45",
			47, "RateLimitPropertiesTests in the package of the properties", 49,
			"modes have a section of their own in golden/wrong-settings.txt");

	/** By number: refused costs. The last one comes from a bean. */
	private static final List<Integer> REFUSED_COSTS = List.of(1, 2, 3, 4, 5);

	@Test
	void everyEntryIsCovered() {
		Map<Integer, Object> covered = new TreeMap<>();
		Stream.of(REFUSED, TESTED.keySet(), ELSEWHERE.keySet())
			.flatMap((numbers) -> numbers.stream())
			.forEach((number) -> assertThat(covered.put(number, "covered")).as("CONF-%03d", number).isNull());
		assertThat(covered.keySet()).containsExactlyElementsOf(IntStream.rangeClosed(1, 49).boxed().toList());
	}

	@Test
	void eachRefusedEntryIsAWrongSetting() {
		assertThat(WrongSetting.all()).extracting(WrongSetting::name)
			.extracting((name) -> name.split(" ", 2)[0])
			.containsAll(Stream
				.concat(REFUSED.stream().map("CONF-%03d"::formatted),
						REFUSED_COSTS.stream().map("COST-%03d"::formatted))
				.toList());
	}

	@Test
	void theTestsThatAreNamedExist() {
		assertThat(TESTED.values()).allSatisfy((test) -> {
			int dot = test.lastIndexOf('.');
			Class<?> type = Class.forName("dev.ratelimit.rule." + test.substring(0, dot));
			assertThat(Arrays.stream(type.getDeclaredMethods()))
				.anyMatch((method) -> method.getName().equals(test.substring(dot + 1)));
		});
	}

}
