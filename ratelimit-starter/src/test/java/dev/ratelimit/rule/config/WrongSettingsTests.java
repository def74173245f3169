package dev.ratelimit.rule.config;

import java.util.stream.Collectors;

import dev.ratelimit.fixture.Golden;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every wrong setting stops the start. Its errors name property, value, place, reason and
 * cure.
 */
class WrongSettingsTests {

	@Test
	void theErrorsOfWrongSettingsAreUnchanged() {
		Golden.assertUnchanged(WrongSetting.FILE,
				WrongSetting.paragraphs()
					.map((paragraph) -> WrongSetting.of(paragraph).map(WrongSetting::withErrors).orElse(paragraph))
					.collect(Collectors.joining("\n\n", "", "\n")));
	}

	/** A setting that is missing has no place. */
	@Test
	void everyErrorHasAPlaceAndACure() {
		assertThat(WrongSetting.all()).hasSizeGreaterThan(250)
			.allSatisfy((setting) -> assertThat(setting.problems()).as("%s", setting).isNotEmpty())
			.flatExtracting(WrongSetting::problems)
			.allSatisfy((problem) -> {
				assertThat(problem.cure()).matches(".+[.?]");
				if (!problem.reason().equals("is missing")) {
					assertThat(problem.origin()).hasValueSatisfying(
							(origin) -> assertThat(origin.toString()).contains("[application-1.yml] - "));
				}
			});
	}

}
