package dev.ratelimit.harm;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.List;

import dev.ratelimit.integration.support.App;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.AnnotatedBeanDefinition;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.type.MethodMetadata;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application that already has a limiter of its own, whose beans have the usual names.
 */
class OwnLimiterTests {

	private static final String RULES = """
			ratelimit.store: memory
			ratelimit.rules.product:
			  paths: /product/**
			  thresholds: 1/1d
			""";

	@Test
	void bothLimitersWork() {
		try (App app = App.start(RULES, OwnFilter.class, OwnInterceptor.class, OwnStore.class)) {
			HttpResponse<String> admitted = app.get("/product/1");
			HttpResponse<String> refused = app.get("/product/1");
			assertThat(List.of(admitted.statusCode(), refused.statusCode())).containsExactly(200, 429);
			assertThat(admitted.headers().firstValue("X-Own-Limiter")).hasValue("asked");
			assertThat(app.context().getBean("rateLimitInterceptor")).isInstanceOf(OwnInterceptor.class);
			assertThat(app.context().getBean("rateLimitStore")).isInstanceOf(OwnStore.class);
		}
	}

	@Test
	void beansOfTheStarterHaveAPrefixOfTheirOwn() {
		try (App app = App.start(RULES)) {
			ConfigurableListableBeanFactory beans = app.context().getBeanFactory();
			assertThat(beans.getBeanDefinitionNames()).filteredOn((name) -> isOfStarter(beans.getBeanDefinition(name)))
				.hasSizeGreaterThan(50)
				.filteredOn((name) -> !name.startsWith("rateLimitStarter"))
				.containsExactlyInAnyOrder("rateLimitClock", "rateLimitLimiter", "ratelimitHealthIndicator");
		}
	}

	private static boolean isOfStarter(BeanDefinition definition) {
		MethodMetadata method = (definition instanceof AnnotatedBeanDefinition annotated)
				? annotated.getFactoryMethodMetadata() : null;
		return method != null && method.getDeclaringClassName().startsWith("dev.ratelimit.autoconfigure.");
	}

	@Component("rateLimitFilter")
	static class OwnFilter extends OncePerRequestFilter {

		@Override
		protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
				throws ServletException, IOException {
			response.setHeader("X-Own-Limiter", "asked");
			chain.doFilter(request, response);
		}

	}

	@Component("rateLimitInterceptor")
	static class OwnInterceptor {

	}

	@Component("rateLimitStore")
	static class OwnStore {

	}

}
