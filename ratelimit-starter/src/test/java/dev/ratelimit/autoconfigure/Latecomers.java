package dev.ratelimit.autoconfigure;

import java.util.List;

import dev.ratelimit.RateLimited;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.rule.RuleSource;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Beans that libraries register, most of them after the limiter has looked for rules.
 */
final class Latecomers {

	private Latecomers() {
	}

	private static RuleSource source() {
		return () -> new RuleSet(List.of(RLConfig.builder("late").paths("/late").thresholds("1/1m").build()));
	}

	@AutoConfiguration(after = RateLimitAutoConfiguration.class)
	static class Rules {

		@Bean
		RuleSource lateRules() {
			return source();
		}

	}

	@AutoConfiguration(before = RateLimitAutoConfiguration.class)
	static class InTime {

		@Bean
		RuleSource rulesInTime() {
			return source();
		}

	}

	@AutoConfiguration(after = RateLimitAutoConfiguration.class)
	static class Marked {

		@Bean
		Controller lateController() {
			return new Controller();
		}

	}

	@RestController
	static class Controller {

		@GetMapping("/late")
		@RateLimited(thresholds = "1/1m")
		String late() {
			return "";
		}

	}

}
