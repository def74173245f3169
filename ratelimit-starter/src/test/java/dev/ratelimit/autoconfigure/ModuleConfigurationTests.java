package dev.ratelimit.autoconfigure;

import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.fixture.HandledLater;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.rule.RuleSource;
import dev.ratelimit.rule.live.RuleRefresh;
import dev.ratelimit.spi.ModuleRules;
import dev.ratelimit.spi.RulesNotEnforceableException;
import dev.ratelimit.store.Limit;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Modules follow the rules in force.
 */
class ModuleConfigurationTests {

	private final List<String> followed = new ArrayList<>();

	private final List<RLConfig> rules = new ArrayList<>(List.of(rule("first")));

	private static RLConfig rule(String id) {
		return RLConfig.builder(id).thresholds("1/1m").build();
	}

	private ApplicationContextRunner runner() {
		return new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(RateLimitAutoConfiguration.class))
			.withPropertyValues("ratelimit.store=memory", "ratelimit.rule-source.refresh=1h")
			.withBean("failing", ModuleRules.class, () -> new ModuleRules() {

				@Override
				public void follow(RuleSet rules, List<Limit> limits) {
					if (rules.find("second").isPresent()) {
						throw new IllegalStateException("of the test");
					}
				}

			})
			.withBean("following", ModuleRules.class, () -> new ModuleRules() {

				@Override
				public void follow(RuleSet rules, List<Limit> limits) {
					rules.rules().forEach((rule) -> ModuleConfigurationTests.this.followed.add(rule.id()));
					limits.forEach((limit) -> ModuleConfigurationTests.this.followed.add("limit of " + limit.rule()));
				}

			})
			.withBean(RuleSource.class, () -> () -> new RuleSet(this.rules));
	}

	@Test
	void aModuleThatFailsStopsNoOtherFromFollowing() {
		runner().run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(this.followed).containsExactly("first", "limit of first");
			this.rules.set(0, rule("second"));
			context.getBean(RuleRefresh.class).refresh();
			assertThat(this.followed).endsWith("second", "limit of second");
		});
	}

	@Test
	void rulesThatAreNotEnforcedHaveNoLimits() {
		runner().withPropertyValues("ratelimit.enabled=false")
			.run((context) -> assertThat(this.followed).containsExactly("first"));
	}

	@Test
	void aValueThatNoBeanEnforcesStopsTheStart() {
		this.rules.set(0, RLConfig.builder("later").thresholds("1/1m").onLimit(new HandledLater()).build());
		runner().run((context) -> assertThat(context).getFailure()
			.isInstanceOf(RulesNotEnforceableException.class)
			.hasMessageContaining("Rule 'later' has on-limit later, which nothing here enforces"));
		runner().withPropertyValues("ratelimit.enabled=false").run((context) -> assertThat(context).hasNotFailed());
	}

}
