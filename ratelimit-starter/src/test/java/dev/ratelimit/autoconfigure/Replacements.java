package dev.ratelimit.autoconfigure;

import java.time.InstantSource;
import java.util.List;

import dev.ratelimit.RateLimiter;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.rule.RuleSource;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.memory.MemoryStore;
import dev.ratelimit.web.servlet.RateLimitRejectionHandler;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.mockito.Mockito.mock;

/**
 * Beans of an application that replace those of the limiter.
 */
@Configuration(proxyBeanMethods = false)
class Replacements {

	@Bean
	RateLimitStore store() {
		return new MemoryStore(InstantSource.system());
	}

	@Bean
	RateLimitRejectionHandler handler() {
		return (request, response, refusals) -> response.setStatus(429);
	}

	@Bean
	RateLimiter limiter() {
		return mock(RateLimiter.class);
	}

	@Bean
	RuleSource source() {
		return () -> new RuleSet(List.of(RLConfig.builder("from-a-bean").thresholds("1/1m").build()));
	}

}
