package dev.ratelimit.autoconfigure;

import java.time.InstantSource;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;

import dev.ratelimit.RateLimiter;
import dev.ratelimit.client.RateLimitInterceptor;
import dev.ratelimit.client.RateLimitInterceptorBuilder;
import dev.ratelimit.limiter.live.RulesInForce;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.restclient.RestClientCustomizer;
import org.springframework.boot.restclient.RestTemplateCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.util.function.SingletonSupplier;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for calls that wait for their turn under a rule.
 */
@AutoConfiguration(after = RateLimitAutoConfiguration.class)
@ConditionalOnClass(ClientHttpRequestInterceptor.class)
public final class RateLimitClientAutoConfiguration {

	private static final String HEADER = "header:";

	/**
	 * The limiter is found with the first call: what it is made of may call somebody
	 * itself while it is made.
	 */
	@Bean
	RateLimitInterceptor rateLimitInterceptor(ObjectProvider<RateLimiter> limiter, ObjectProvider<RulesInForce> rules,
			RateLimitProperties properties) {
		RateLimitInterceptorBuilder builder = RateLimitInterceptor.builder(SingletonSupplier.of(limiter::getObject),
				InstantSource.system());
		properties.clients().forEach((name, client) -> {
			String[] hosts = client.hosts().toArray(String[]::new);
			boolean global = rules.getObject()
				.get()
				.ruleSet()
				.find(client.ruleId())
				.filter(ClientChecks::isGlobal)
				.isPresent();
			if (global) {
				builder.limit(client.ruleId(), client.maxWait(), hosts);
			}
			else {
				builder.limit(client.ruleId(), key(client.key()), client.maxWait(), hosts);
			}
		});
		return builder.build();
	}

	@Bean
	ClientsCheck rateLimitClientsCheck(RulesInForce rules, RateLimitProperties properties) {
		ClientChecks.requireRules(properties.clients(), rules.get());
		return new ClientsCheck();
	}

	/** Calls without the header are counted together. */
	private static Function<HttpRequest, String> key(@Nullable String key) {
		if (key == null || key.equals("host")) {
			return (request) -> Objects.requireNonNullElse(request.getURI().getHost(), "").toLowerCase(Locale.ROOT);
		}
		if (key.startsWith(HEADER)) {
			String header = key.substring(HEADER.length());
			return (request) -> Objects.requireNonNullElse(request.getHeaders().getFirst(header), "");
		}
		return (request) -> key;
	}

	/** The settings fit the rules. */
	record ClientsCheck() {
	}

	/** Boot has HTTP interfaces customized like every other {@code RestClient}. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(RestClientCustomizer.class)
	static class Customizers {

		@Bean
		RestClientCustomizer rateLimitRestClientCustomizer(RateLimitInterceptor interceptor) {
			return (builder) -> {
				if (!interceptor.isIdle()) {
					builder.requestInterceptor(interceptor);
				}
			};
		}

		@Bean
		RestTemplateCustomizer rateLimitRestTemplateCustomizer(RateLimitInterceptor interceptor) {
			return (template) -> {
				if (!interceptor.isIdle()) {
					template.getInterceptors().add(interceptor);
				}
			};
		}

	}

}
