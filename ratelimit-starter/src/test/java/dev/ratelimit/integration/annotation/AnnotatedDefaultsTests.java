package dev.ratelimit.integration.annotation;

import dev.ratelimit.RateLimited;
import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.TimedStore;
import dev.ratelimit.limiter.rules.ActiveRules;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.CountOn;
import dev.ratelimit.rule.KeySource;
import dev.ratelimit.rule.OnMissingKey;
import dev.ratelimit.rule.OnStoreFailure;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.Refill;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * {@code ratelimit.defaults.*} applies to rules that are written in annotations, unless
 * the annotation sets another value.
 */
class AnnotatedDefaultsTests {

	private static final String DEFAULTS = """
			ratelimit.defaults:
			  key: header:X-Tenant
			  algorithm: token-bucket
			  refill: interval
			  on-missing-key: deny
			  on-store-failure: deny
			  count-on: failure
			  cost: 2
			  shadow: true
			""";

	@AutoClose
	private static App app;

	@BeforeAll
	static void start() {
		app = App.start(DEFAULTS, TimedStore.class, Beans.class);
	}

	@Test
	void attributesThatAreNotSetHaveTheDefaults() {
		RLConfig rule = rule("plain");
		assertThat(rule.key().sources()).containsExactly(KeySource.valueOf("header:X-Tenant"));
		assertThat(rule.counting().algorithm()).isEqualTo(Algorithm.TOKEN_BUCKET);
		assertThat(rule.counting().refill()).isEqualTo(Refill.INTERVAL);
		assertThat(rule.key().onMissing()).isEqualTo(OnMissingKey.DENY);
		assertThat(rule.enforcement().onStoreFailure()).isEqualTo(OnStoreFailure.DENY);
		assertThat(rule.counting().countOn()).isEqualTo(CountOn.valueOf("failure"));
		assertThat(rule.counting().cost()).hasToString("2");
		assertThat(rule.enforcement().shadow()).isTrue();
		assertThat(app.statuses(5, "GET", "/plain")).as("in shadow").containsOnly(200);
	}

	@Test
	void attributesOfTheAnnotationOverrideTheDefaults() {
		RLConfig rule = rule("other");
		assertThat(rule.key().sources()).containsExactly(KeySource.valueOf("global"));
		assertThat(rule.counting().algorithm()).isEqualTo(Algorithm.FIXED_WINDOW);
		assertThat(rule.counting().refill()).as("no option of this algorithm").isEqualTo(Refill.CONTINUOUS);
		assertThat(rule.counting().cost()).hasToString("1");
		assertThat(rule.enforcement().onStoreFailure()).isEqualTo(OnStoreFailure.DENY);
	}

	@Test
	void aDefaultThatIsInvalidForTheRuleStopsTheStart() {
		String costTooHigh = DEFAULTS.replace("cost: 2", "cost: 9");
		Throwable failure = catchThrowable(() -> App.start(costTooHigh, TimedStore.class, Beans.class).close());
		assertThat(NestedExceptionUtils.getMostSpecificCause(failure)).hasMessageContainingAll("@RateLimited(cost)",
				"Handlers.plain()", "'9'");
	}

	@Test
	void aConfiguredRuleWithTheIdIsNoDefault() {
		String configured = DEFAULTS + "ratelimit.rules.plain: {thresholds: 4/10m, key: principal}\n";
		Throwable failure = catchThrowable(() -> App.start(configured, TimedStore.class, Beans.class).close());
		assertThat(NestedExceptionUtils.getMostSpecificCause(failure)).hasMessageContainingAll("@RateLimited(value)",
				"'plain'", "is the id of another rule with other settings");
	}

	private static RLConfig rule(String id) {
		return app.bean(ActiveRules.class).get().ruleSet().find(id).orElseThrow();
	}

	@RestController
	static class Handlers {

		@GetMapping("/plain")
		@RateLimited(value = "plain", thresholds = "4/10m", when = "headers['X-Off'] != 'yes'")
		String plain() {
			return "";
		}

	}

	static class Other {

		@RateLimited(value = "other", thresholds = "1/10m", key = "global", algorithm = "fixed-window", cost = "1")
		public void call() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Beans {

		@Bean
		Handlers handlers() {
			return new Handlers();
		}

		@Bean
		Other other() {
			return new Other();
		}

	}

}
