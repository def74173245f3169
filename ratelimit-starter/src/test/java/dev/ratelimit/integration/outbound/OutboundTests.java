package dev.ratelimit.integration.outbound;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import dev.ratelimit.RateLimitExceededException;
import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.Provider;
import dev.ratelimit.integration.support.SharedCluster;
import dev.ratelimit.web.servlet.RateLimitExceptionResolver;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.restclient.RestTemplateBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.HttpClientErrorException;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.annotation.HttpExchange;
import org.springframework.web.service.registry.ImportHttpServices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Calls of an application to a provider, under a rule.
 */
@ExtendWith(SharedCluster.class)
class OutboundTests {

	private static final AtomicInteger ACCOUNTS = new AtomicInteger();

	private static Provider provider;

	/** Two instances that share their limits. */
	private static App app;

	private static App other;

	/** No earlier call was made for this account. */
	private final String account = "account-" + ACCOUNTS.incrementAndGet();

	@BeforeAll
	static void start() {
		provider = new Provider();
		String prefix = App.newPrefix();
		app = startApp(prefix);
		other = startApp(prefix);
	}

	@AfterAll
	static void stop() {
		app.close();
		other.close();
		provider.close();
	}

	@BeforeEach
	void reset() {
		provider.reset();
	}

	private static App startApp(String prefix) {
		return App.start(prefix, SharedCluster.yaml() + """
				spring.http.serviceclient.provider.base-url: %s
				ratelimit:
				  rules:
				    provider: {key: global, thresholds: 2/10m}
				    accounts: {key: 'header:X-Account', thresholds: 2/10m}
				    inbound: {paths: /relay, thresholds: 100/10m}
				  clients:
				    provider: {rule: provider, hosts: 127.0.0.1, max-wait: 0s}
				    accounts: {rule: accounts, hosts: localhost, key: 'header:X-Account', max-wait: 1s}
				""".formatted(provider.url("127.0.0.1")), Clients.class, Relay.class);
	}

	private static void call(App app, String host, String account) {
		app.bean(RestClient.class)
			.get()
			.uri(provider.url(host))
			.header("X-Account", account)
			.retrieve()
			.toBodilessEntity();
	}

	@Test
	void aRestClientARestTemplateAndAnHttpInterfaceShareOneBudget() {
		call(app, "127.0.0.1", "any");
		app.bean(RestTemplate.class).getForObject(provider.url("127.0.0.1"), Void.class);
		for (Runnable call : new Runnable[] { () -> call(app, "127.0.0.1", "any"),
				() -> app.bean(RestTemplate.class).getForObject(provider.url("127.0.0.1"), Void.class),
				() -> app.bean(ProviderClient.class).call() }) {
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(call::run)
				.withMessage("A call to 127.0.0.1 was not made: rate limit 'provider' has no turn for it within PT0S")
				.satisfies((refused) -> assertThat(refused.retryAfter())
					.hasValueSatisfying((retryAfter) -> assertThat(retryAfter).isPositive()
						.isLessThanOrEqualTo(Duration.ofMinutes(10))));
		}
		assertThat(provider.arrivalsMicros()).hasSize(2);
	}

	@Test
	void aHeaderOfTheCallIsTheKey() {
		call(app, "localhost", this.account);
		call(app, "localhost", this.account);
		call(app, "localhost", this.account + "-b");
		assertThatExceptionOfType(RateLimitExceededException.class)
			.isThrownBy(() -> call(app, "localhost", this.account));
	}

	@Test
	void callsToOtherHostsAcquireFromNoRule() {
		SharedCluster.scriptCalls(other);
		long before = SharedCluster.scriptCalls(app);
		call(app, "127.0.0.2", "any");
		assertThat(SharedCluster.scriptCalls(app)).isEqualTo(before);
		assertThat(provider.arrivalsMicros()).hasSize(1);
	}

	@ParameterizedTest
	@CsvSource({ "429, Retry-After, 60", "503, Retry-After, 60", "200, RateLimit, '\"default\";r=0;t=60'",
			"200, RateLimit, 'limit=9, remaining=0, reset=60'" })
	void aPauseThatTheProviderRequestsAppliesToTheKeyOnAllInstances(int status, String header, String value) {
		provider.answer(status, Map.of(header, value));
		assertThat(app.bean(RestClient.class)
			.get()
			.uri(provider.url("localhost"))
			.header("X-Account", this.account)
			.<Integer>exchange((request, response) -> response.getStatusCode().value())).isEqualTo(status);
		provider.answer(200, Map.of());
		assertThatExceptionOfType(RateLimitExceededException.class)
			.isThrownBy(() -> call(other, "localhost", this.account));
		call(other, "localhost", this.account + "-b");
		assertThat(provider.arrivalsMicros()).hasSize(2);
	}

	/**
	 * The client has exceeded no limit of this application, and sees none of the
	 * provider.
	 */
	@Test
	void aCallThatIsNotMadeForAControllerIsItsUnavailability() {
		String path = "/relay?account=" + this.account + "&url=" + provider.url("localhost");
		for (int expected : new int[] { 200, 200, 503 }) {
			HttpResponse<String> response = app.get(path);
			assertThat(response.statusCode()).isEqualTo(expected);
			assertThat(response.headers().firstValue("X-RateLimit-Limit")).hasValue("100");
			assertThat(response.headers().allValues("RateLimit-Policy")).containsExactly("\"inbound\";q=100;w=600");
			assertThat(response.headers().firstValue("Retry-After").isPresent()).isEqualTo(expected == 503);
			assertThat(response.body()).doesNotContain("accounts", "quota");
		}
	}

	@Test
	@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
	void aCycleOfCausesIsNoRefusal() {
		Exception first = new IllegalStateException();
		first.initCause(new IllegalStateException(first));
		assertThat(app.bean(RateLimitExceptionResolver.class)
			.resolveException(new MockHttpServletRequest(), new MockHttpServletResponse(), null, first)).isNull();
	}

	@Test
	void aResponseThatRequestsAPauseReachesTheCaller() {
		provider.answer(429, Map.of("Retry-After", "1"));
		assertThatExceptionOfType(HttpClientErrorException.TooManyRequests.class)
			.isThrownBy(() -> call(app, "localhost", this.account));
	}

	/** All synchronous clients of Spring. */
	@Configuration(proxyBeanMethods = false)
	@ImportHttpServices(group = "provider", types = ProviderClient.class)
	static class Clients {

		@Bean
		RestClient restClient(RestClient.Builder builder) {
			return builder.build();
		}

		@Bean
		RestTemplate restTemplate(RestTemplateBuilder builder) {
			return builder.build();
		}

	}

	@HttpExchange
	interface ProviderClient {

		@GetExchange("/interface")
		void call();

	}

	/** Calls a provider, and lets its exceptions leave. */
	@RestController
	static class Relay {

		private final RestClient client;

		Relay(RestClient client) {
			this.client = client;
		}

		@GetMapping("/relay")
		void relay(@RequestParam String account, @RequestParam String url) {
			this.client.get().uri(url).header("X-Account", account).retrieve().toBodilessEntity();
		}

	}

}
