package dev.ratelimit.datacenters;

import java.util.Map;

import dev.ratelimit.spi.InvalidSettingsException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

class DataCenterPropertiesTests {

	private static DataCenterProperties bind(Map<String, String> settings) {
		return new Binder(new MapConfigurationPropertySource(settings)).bindOrCreate("ratelimit.datacenter",
				DataCenterProperties.class);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = {
			"datacenter.name | Fra | Fra | is not the name of a data centre | lower-case letters",
			"datacenter.name | false | false | is not the name of a data centre | Quote a name that YAML reads as",
			"datacenter.peers.iad.port | 65536 | 65536 | is out of range | from 1 to 65535",
			"datacenter.peers.iad.database | -1 | -1 | is out of range | from 0",
			"datacenter.peers.iad.host | redis | iad | has no effect without datacenter.name | in which this instance runs" })
	void aWrongSettingStopsTheStartWithItsReason(String property, String text, String value, String reason,
			String cure) {
		Throwable thrown = catchThrowable(() -> bind(Map.of("ratelimit." + property, text)));
		assertThat(thrown).rootCause()
			.isInstanceOfSatisfying(InvalidSettingsException.class,
					(ex) -> assertThat(ex.problems()).singleElement().satisfies((problem) -> {
						assertThat(problem.property())
							.isEqualTo("ratelimit." + property.replaceAll("(?<=peers)\\..*host", ""));
						assertThat(problem.value()).isEqualTo(value);
						assertThat(problem.reason()).contains(reason);
						assertThat(problem.cure()).contains(cure);
					}));
	}

	@Test
	void aDataCenterIsNoPeerOfItself() {
		Throwable thrown = catchThrowable(
				() -> bind(Map.of("ratelimit.datacenter.name", "fra", "ratelimit.datacenter.peers.fra.host", "redis")));
		assertThat(thrown).rootCause().hasMessageContaining("'fra' is the data centre of this instance");
	}

	@Test
	void noTextOfTheSettingsHasASecret() {
		assertThat(
				bind(Map.of("ratelimit.datacenter.name", "fra", "ratelimit.datacenter.peers.iad.password", "hidden")))
			.asString()
			.doesNotContain("hidden");
	}

}
