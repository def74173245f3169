package dev.ratelimit.integration.operations;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimited;
import dev.ratelimit.fixture.DelegatingStore;
import dev.ratelimit.fixture.Sneaky;
import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.CapturedLog;
import dev.ratelimit.integration.support.RawHttp;
import dev.ratelimit.limiter.DecisionListener;
import dev.ratelimit.limiter.RuleRequest;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Fate;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.memory.MemoryStore;
import dev.ratelimit.support.Pending;
import dev.ratelimit.web.key.CostResolver;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Nothing that a client writes is repeated: not in a line of the log, a meter, a header,
 * the body of a refusal or the endpoint.
 */
class NothingLeaksTests {

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

	private static final String MARK = "L34K";

	private static final List<String> TEXTS = List.of("${jndi:ldap://L34K}",
			"#{T(java.lang.Runtime).getRuntime().exec('L34K')}", "{{7*7}}L34K", "%n%s%xL34K", "{}L34K",
			"L34K\r\n2026-11-20 ERROR fake line", "L34K\u001b[2J", "<script>L34K</script>", "L34K\",\"violated",
			"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaL34K", "x".repeat(500) + MARK);

	@Test
	void noTextOfAClientIsRepeated() {
		Set<Integer> statuses = new TreeSet<>();
		try (App app = App.start(RULES.formatted("1/1d"), HostileBeans.class, PartlyBroken.class);
				CapturedLog log = new CapturedLog(Level.DEBUG)) {
			for (String text : TEXTS) {
				for (String request : requests(text)) {
					String response = RawHttp.exchange(app.port(), request);
					int status = Integer.parseInt(response.substring(9, 12));
					statuses.add(status);
					assertThat(response).as(request).doesNotContainIgnoringCase(MARK);
					if (status == 429) {
						assertThat(response).contains("\"violated-policies\":[\"").doesNotContain("127.0.0.1");
					}
				}
			}
			assertThat(statuses).containsExactly(200, 403, 429, 503);
			assertThat(log.events()).isNotEmpty().allSatisfy((event) -> {
				assertThat(texts(event)).noneMatch((text) -> text.toUpperCase(Locale.ROOT).contains(MARK));
				assertThat(event.getFormattedMessage()).doesNotContainPattern("\\p{Cntrl}").doesNotContain("127.0.0.1");
			});
			assertThat(log.events()).extracting(ILoggingEvent::getLoggerName).contains("dev.ratelimit.decisions");
			assertThat(app.bean(MeterRegistry.class).getMeters()).extracting(Meter::getId)
				.extracting(Meter.Id::toString)
				.noneMatch((id) -> id.toUpperCase(Locale.ROOT).contains(MARK));
			assertThat(app.get("/actuator/ratelimits").body()).contains("by-header").doesNotContainIgnoringCase(MARK);
		}
	}

	private static List<String> requests(String text) {
		String encoded = URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20").replace("%2F", "%20");
		String everywhere = "X-User: " + Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8))
				+ "\r\n";
		if (text.chars().noneMatch(Character::isISOControl)) {
			everywhere += "X-Key: %1$s\r\nCookie: k=%1$s\r\nX-Plan: %1$s\r\nX-Forwarded-For: %1$s, 10.0.0.1\r\n"
				.formatted(text);
		}
		List<String> requests = new ArrayList<>();
		for (String target : List.of("/product/" + encoded + "?k=" + encoded, "/v1/product?k=" + encoded,
				"/v2/product?k=" + encoded, "/call?k=" + encoded)) {
			String request = "GET " + target + " HTTP/1.1\r\nHost: localhost\r\n" + everywhere
					+ "Connection: close\r\n\r\n";
			requests.addAll(List.of(request, request));
		}
		return requests;
	}

	/** The message, and the messages of its exceptions. */
	private static List<String> texts(ILoggingEvent event) {
		List<String> texts = new ArrayList<>(List.of(event.getFormattedMessage()));
		for (IThrowableProxy cause = event.getThrowableProxy(); cause != null; cause = cause.getCause()) {
			texts.add(String.valueOf(cause.getMessage()));
		}
		return texts;
	}

	/** Beans that read everything a client can write, and that break their promises. */
	@Configuration(proxyBeanMethods = false)
	static class HostileBeans {

		@Bean
		CostResolver belowOne() {
			return (request) -> -1;
		}

		@Bean
		DecisionListener throwing() {
			return new DecisionListener() {

				@Override
				public void decided(RuleRequest ruleRequest, RateLimitDecision decision, Outcome outcome, long nanos) {
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
			FilterRegistrationBean<Filter> users = new FilterRegistrationBean<>(
					(request, response, chain) -> chain.doFilter(new Named((HttpServletRequest) request), response));
			users.setOrder(-200);
			return users;
		}

		@Bean
		Service service() {
			return new Service();
		}

		private static final class Named extends HttpServletRequestWrapper {

			Named(HttpServletRequest request) {
				super(request);
			}

			@Override
			public @Nullable Principal getUserPrincipal() {
				String encoded = getHeader("X-User");
				return (encoded != null) ? () -> new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8)
						: null;
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

	/** Counts in memory, and always fails for one rule. */
	@Configuration(proxyBeanMethods = false)
	static class PartlyBroken {

		@Bean
		RateLimitStore rateLimitStore() {
			return new Store(new MemoryStore(InstantSource.system()));
		}

		static final class Store extends DelegatingStore {

			Store(RateLimitStore working) {
				super(working);
			}

			@Override
			public Pending<List<AcquireResult>> acquire(List<AcquireRequest> requests, Duration maxWait) {
				return Pending.of(requests.stream()
					.map((request) -> isBroken(request) ? new AcquireResult.Failed(StoreFailure.ERROR, Fate.UNKNOWN)
							: super.acquire(List.of(request), maxWait).await().get(0))
					.toList());
			}

			@Override
			public String shard(AcquireRequest request) {
				return isBroken(request) ? "broken" : "working";
			}

			private static boolean isBroken(AcquireRequest request) {
				return request.limit().rule().equals("broken");
			}

			@Override
			public String describe() {
				return "a store that is partly broken";
			}

		}

	}

}
