package dev.ratelimit.datacenters;

import dev.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import dev.ratelimit.spi.RulesNotEnforceableException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;

class RateLimitDataCentersAutoConfigurationTests {

	private static final String CONNECTING = "ratelimit-redis-io-localhost:6399";

	private final ApplicationContextRunner runner = new ApplicationContextRunner().withPropertyValues(
			"spring.data.redis.port=1", "ratelimit.datacenter.name=fra", "ratelimit.datacenter.peers.iad.port=6399",
			"ratelimit.rules.shop.scope=everywhere", "ratelimit.rules.shop.algorithm=fixed-window",
			"ratelimit.rules.shop.thresholds=9/1m");

	private static boolean isConnecting() {
		return Thread.getAllStackTraces().keySet().stream().anyMatch((thread) -> thread.getName().equals(CONNECTING));
	}

	@Test
	void aStartThatFailsLeavesNoConnectionToAnotherDataCentre() {
		this.runner
			.withConfiguration(AutoConfigurations.of(RateLimitAutoConfiguration.class,
					RateLimitDataCentersAutoConfiguration.class, FailingAutoConfiguration.class))
			.run((context) -> {
				assertThat(context).getFailure().hasMessageContaining("it connects: true");
				Awaitility.await().until(() -> !isConnecting());
			});
	}

	@Test
	void aRuleOfAllDataCentresIsNotCountedHereOnlyWithoutANotice() {
		this.runner.withConfiguration(AutoConfigurations.of(RateLimitAutoConfiguration.class))
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(RulesNotEnforceableException.class)
				.hasMessageContaining("Rule 'shop' has scope everywhere, which nothing here enforces"));
	}

	@AutoConfiguration(after = RateLimitDataCentersAutoConfiguration.class)
	static class FailingAutoConfiguration {

		@Bean
		SmartInitializingSingleton failing() {
			return () -> {
				throw new IllegalStateException("it connects: " + isConnecting());
			};
		}

	}

}
