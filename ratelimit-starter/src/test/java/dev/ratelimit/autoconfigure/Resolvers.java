package dev.ratelimit.autoconfigure;

import dev.ratelimit.web.key.KeyResolver;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * A resolver of an application.
 */
@Configuration(proxyBeanMethods = false)
class Resolvers {

	@Bean
	KeyResolver apiKey() {
		return (request) -> request.header("X-Api-Key");
	}

}
