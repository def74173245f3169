package dev.ratelimit.rule.config;

import java.util.List;
import java.util.Locale;
import java.util.Map;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

class WrittenSettingTests {

	private static ConfigurationPropertySource environment(String variable) {
		return ConfigurationPropertySource.from(new SystemEnvironmentPropertySource(
				StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, Map.of(variable, "x")));
	}

	/** Some dashes are left out, and some are underscores. */
	@Property(tries = 500)
	void aVariableIsFoundByTheNamesByWhichBootFindsIt(@ForAll("names") String name,
			@ForAll List<Boolean> leavesDashesOut) {
		String variable = name;
		for (boolean leavesOut : leavesDashesOut) {
			variable = variable.replaceFirst("-", leavesOut ? "" : "_");
		}
		variable = variable.replaceAll("[-.\\[]", "_").replace("]", "").toUpperCase(Locale.ROOT);
		ConfigurationPropertySource environment = environment(variable);
		WrittenSetting setting = WrittenSetting.of(environment).get(0);
		assertThat(setting.isSpellingOf(name)).as("%s %s", variable, name)
			.isEqualTo(environment.getConfigurationProperty(ConfigurationPropertyName.of(name)) != null);
	}

	@Property(tries = 100)
	void bootFindsTheVariableThatIsSuggested(@ForAll("names") String name) {
		assertThat(
				environment(PropertyNames.variable(name)).getConfigurationProperty(ConfigurationPropertyName.of(name)))
			.isNotNull();
	}

	@Provide
	Arbitrary<String> names() {
		Arbitrary<String> id = Arbitraries.of("login", "get-product", "login-2", "a-b-c");
		Arbitrary<String> key = Arbitraries.of("cost", "on-missing-key", "paths[0]", "thresholds[10].window",
				"plans.big-paid[0]", "refusal.content-type");
		return id.flatMap((rule) -> key.map((text) -> "ratelimit.rules." + rule + "." + text));
	}

}
