package dev.ratelimit.autoconfigure;

import java.time.InstantSource;
import java.util.Objects;
import java.util.function.Function;

import dev.ratelimit.RateLimiter;
import dev.ratelimit.limiter.rules.ActiveRules;
import dev.ratelimit.limiter.rules.RuleSetValidator;
import dev.ratelimit.outbound.HostPattern;
import dev.ratelimit.outbound.RateLimitInterceptor;
import dev.ratelimit.outbound.RateLimitInterceptorBuilder;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.restclient.RestClientCustomizer;
import org.springframework.boot.restclient.RestTemplateCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.util.function.SingletonSupplier;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for outbound calls that wait for their turn under a rule.
 */
@AutoConfiguration(after = RateLimitAutoConfiguration.class)
@ConditionalOnClass(ClientHttpRequestInterceptor.class)
@Conditional(OnRules.class)
public final class RateLimitClientAutoConfiguration {

	private static final String HEADER = "header:";

	@Bean
	@Lazy
	RateLimitInterceptor rateLimitStarterInterceptor(RateLimiter limiter, ActiveRules rules,
			RateLimitProperties properties) {
		RateLimitInterceptorBuilder builder = RateLimitInterceptor.builder(limiter, InstantSource.system());
		properties.clients().forEach((name, client) -> {
			String[] hosts = client.hosts().toArray(String[]::new);
			if (rules.get().ruleSet().find(client.ruleId()).filter(ClientChecks::isGlobal).isPresent()) {
				builder.limit(client.ruleId(), client.maxWait(), hosts);
			}
			else {
				builder.limit(client.ruleId(), key(client.key()), client.maxWait(), hosts);
			}
		});
		return builder.build();
	}

	/** Refuses rule sets in which the rule of a client is missing or gives no turns. */
	@Bean
	RuleSetValidator rateLimitStarterClientsCheck(ActiveRules current, RateLimitProperties properties) {
		return (rules) -> {
			ClientChecks.requireRules(properties.clients(), rules);
			ClientChecks.requireSameKeys(properties.clients(), current.get(), rules);
		};
	}

	/** Calls without the header are counted together, under an empty key. */
	private static Function<HttpRequest, String> key(@Nullable String key) {
		if (key == null || key.equals("host")) {
			return (request) -> HostPattern.hostOf(request.getURI());
		}
		if (key.startsWith(HEADER)) {
			String header = key.substring(HEADER.length());
			return (request) -> Objects.requireNonNullElse(request.getHeaders().getFirst(header), "");
		}
		return (request) -> key;
	}

	/**
	 * Boot applies these customizers to HTTP interfaces as to every other
	 * {@code RestClient}. The interceptor is resolved with the first call, because its
	 * dependencies may make calls themselves, as a source of rules does.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(RestClientCustomizer.class)
	static class Customizers {

		@Bean
		RestClientCustomizer rateLimitStarterRestClientCustomizer(ObjectProvider<RateLimitInterceptor> interceptor,
				RateLimitProperties properties) {
			return (builder) -> {
				if (!properties.clients().isEmpty()) {
					builder.requestInterceptor(late(interceptor));
				}
			};
		}

		@Bean
		RestTemplateCustomizer rateLimitStarterRestTemplateCustomizer(ObjectProvider<RateLimitInterceptor> interceptor,
				RateLimitProperties properties) {
			return (template) -> {
				if (!properties.clients().isEmpty()) {
					template.getInterceptors().add(late(interceptor));
				}
			};
		}

		private static ClientHttpRequestInterceptor late(ObjectProvider<RateLimitInterceptor> provider) {
			SingletonSupplier<RateLimitInterceptor> interceptor = SingletonSupplier.of(provider::getObject);
			return (request, body, execution) -> interceptor.obtain().intercept(request, body, execution);
		}

	}

}
