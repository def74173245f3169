package dev.ratelimit.autoconfigure;

import java.time.InstantSource;

import dev.ratelimit.openapi.LimitedResponses;
import dev.ratelimit.openapi.RateLimitOpenApiCustomizer;
import dev.ratelimit.web.RateLimitHeaders;
import dev.ratelimit.web.servlet.ProblemRejectionHandler;
import dev.ratelimit.web.servlet.RateLimitRejectionHandler;
import org.springdoc.core.customizers.GlobalOpenApiCustomizer;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for the limits in OpenAPI documents, where springdoc makes such for
 * Spring MVC.
 */
@AutoConfiguration(after = RateLimitWebAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass(value = GlobalOpenApiCustomizer.class, name = "org.springdoc.webmvc.api.OpenApiResource")
@ConditionalOnBean(name = RateLimitWebAutoConfiguration.ROUTES)
public final class RateLimitOpenApiAutoConfiguration {

	@Bean
	RateLimitOpenApiCustomizer rateLimitStarterOpenApiCustomizer(RoutesSupplier routes, RateLimitProperties properties,
			RateLimitRejectionHandler rejectionHandler,
			@Qualifier(RateLimitAutoConfiguration.CLOCK) InstantSource clock) {
		RateLimitProperties.Headers headers = properties.headers();
		RateLimitHeaders writer = RateLimitWebAutoConfiguration.headers(headers, clock);
		LimitedResponses responses = new LimitedResponses(writer.names(),
				headers.resetFormat() == RateLimitProperties.Headers.ResetFormat.EPOCH_SECONDS,
				rejectionHandler instanceof ProblemRejectionHandler);
		return new RateLimitOpenApiCustomizer(properties.enabled(), routes::find, responses);
	}

}
