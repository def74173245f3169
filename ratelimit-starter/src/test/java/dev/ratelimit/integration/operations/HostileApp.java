package dev.ratelimit.integration.operations;

import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.Base64;
import java.util.List;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimited;
import dev.ratelimit.fixture.Sneaky;
import dev.ratelimit.limiter.DecisionListener;
import dev.ratelimit.web.key.CostResolver;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;

import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * An application that reads everything a client can write, with beans that break their
 * promises.
 */
@Configuration(proxyBeanMethods = false)
class HostileApp {

	/** Rules for whatever a client may write, to be formatted with thresholds. */
	static final String RULES = """
			ratelimit.trusted-proxies: 127.0.0.0/8
			ratelimit.rules:
			  by-header: {paths: '/product/{id}', key: 'header:X-Key', thresholds: %1$s}
			  by-cookie: {paths: '/product/{id}', key: 'cookie:k', thresholds: %1$s, on-missing-key: shared}
			  by-query: {paths: '/product/{id}', key: ['query:k', 'path:id'], thresholds: %1$s}
			  by-user: {paths: '/product/{id}', key: principal, thresholds: %1$s, plan-key: 'header:X-Plan', plans: {free: %1$s}}
			  by-address: {paths: '/product/{id}', thresholds: %1$s, cost: 'bean:belowOne'}
			  if-matched: {paths: '/product/{id}', key: global, thresholds: 999999/1d, when: "headers['X-Key'] matches '(a+)+b'"}
			  tried: {paths: '/product/{id}', key: 'query:k', thresholds: %1$s, shadow: true}
			  failures: {paths: '/product/{id}', key: principal, thresholds: %1$s, count-on: failure}
			  insisting: {paths: /v1/product, key: 'header:X-None', thresholds: %1$s, on-missing-key: deny}
			  skipping: {paths: /v1/product, key: 'query:none', thresholds: %1$s, on-missing-key: skip}
			  broken: {paths: /v2/product, key: 'header:X-Key', thresholds: %1$s, on-store-failure: deny}
			  named: {key: 'arg:name', thresholds: %1$s}
			""";

	@Bean
	CostResolver belowOne() {
		return (request) -> -1;
	}

	@Bean
	DecisionListener throwing() {
		return new DecisionListener() {

			@Override
			public void decided(RateLimitDecision decision, Outcome outcome, long nanos) {
				throw Sneaky.checked("decided");
			}

			@Override
			public void undecided(String rule, Outcome outcome) {
				throw new IllegalStateException("undecided");
			}

			@Override
			public void late(String rule) {
				throw new IllegalStateException("late");
			}

			@Override
			public void released(String rule, boolean acknowledged) {
				throw Sneaky.checked("released");
			}

		};
	}

	/** Trusts any user name that a request contains, in Base64. */
	@Bean
	FilterRegistrationBean<Filter> users() {
		FilterRegistrationBean<Filter> users = new FilterRegistrationBean<>((request, response, chain) -> {
			HttpServletRequest http = (HttpServletRequest) request;
			String encoded = http.getHeader("X-User");
			chain.doFilter((encoded != null) ? new Named(http, encoded) : http, response);
		});
		users.setOrder(-200);
		return users;
	}

	@Bean
	Service service() {
		return new Service();
	}

	private static final class Named extends HttpServletRequestWrapper {

		private final String name;

		Named(HttpServletRequest request, String encoded) {
			super(request);
			this.name = new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
		}

		@Override
		public Principal getUserPrincipal() {
			return () -> this.name;
		}

	}

	static class Service {

		@RateLimited("named")
		public List<String> call(String name) {
			return List.of();
		}

	}

	@RestController
	static class Calls {

		private final Service service;

		Calls(Service service) {
			this.service = service;
		}

		@GetMapping("/call")
		List<String> call(@RequestParam String k) {
			return this.service.call(k);
		}

	}

}
