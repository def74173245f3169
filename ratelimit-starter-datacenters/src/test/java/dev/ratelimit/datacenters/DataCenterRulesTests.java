package dev.ratelimit.datacenters;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RuleWarning;
import dev.ratelimit.spi.RulesNotEnforceableException;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class DataCenterRulesTests {

	private static final RLConfig SHOP = RLConfig.builder("shop")
		.algorithm(Algorithm.FIXED_WINDOW)
		.scope(Everywhere.DEFAULT)
		.thresholds("2/1s", "1000/1d")
		.build();

	private static DataCenterRules rules(String... peers) {
		return new DataCenterRules(
				Optional.of(peers)
					.filter((others) -> others.length > 0)
					.map((others) -> new DataCenters("fra", List.of(others))),
				new DefaultListableBeanFactory().getBeanProvider(SharedPools.class), () -> "the heap");
	}

	private static List<String> warnings(String... peers) {
		return Stream.of(RuleWarning.values()).flatMap((name) -> rules(peers).warnings(SHOP, name).stream()).toList();
	}

	@Test
	void limitsThatDataCentersCannotShareWellAreReported() {
		assertThat(warnings()).singleElement()
			.asString()
			.startsWith("Rule 'shop' has scope everywhere, but no other data centre is listed");
		assertThat(warnings("iad")).singleElement()
			.asString()
			.startsWith("Rule 'shop' has 2/1s, a window of less than 10 exchange intervals");
		assertThat(warnings("iad", "sin")).hasSize(2)
			.contains("Rule 'shop' divides 2/1s between 3 data centres, and the last of them by name admit nothing. "
					+ "Raise the threshold to 3 or more, or use scope datacenter.");
	}

	@Test
	void aStoreThatCannotCountForSeveralDataCentresStopsTheStart() {
		rules().check(List.of(SHOP));
		rules("iad").check(List.of());
		assertThatExceptionOfType(RulesNotEnforceableException.class)
			.isThrownBy(() -> rules("iad").check(List.of(SHOP)))
			.withMessageContaining("Rule 'shop' has scope everywhere, for which the heap cannot count");
	}

}
