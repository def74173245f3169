package dev.ratelimit.integration;

import java.time.Duration;
import java.util.Map;

import dev.ratelimit.RateLimitExceededException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.SpringApplication;
import org.springframework.web.client.HttpClientErrorException;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Calls of an application to a provider, under a rule.
 */
@ExtendWith(SharedCluster.class)
class OutboundTests {

	private final Provider provider = new Provider();

	private final String prefix = App.newPrefix();

	private App app;

	@BeforeEach
	void start() {
		this.app = startApp();
	}

	@AfterEach
	void stop() {
		this.app.close();
		this.provider.close();
	}

	private App startApp() {
		return App.start(this.prefix, SharedCluster.yaml() + """
				spring.http.serviceclient.provider.base-url: %s
				ratelimit:
				  rules:
				    provider: {key: global, thresholds: 2/10m}
				    accounts: {key: 'header:X-Account', thresholds: 2/10m}
				  clients:
				    provider: {rule: provider, hosts: 127.0.0.1, max-wait: 0s}
				    accounts: {rule: accounts, hosts: localhost, key: 'header:X-Account', max-wait: 1s}
				""".formatted(this.provider.url("127.0.0.1")), OutboundApp.class);
	}

	private void call(App app, String host, String account) {
		app.bean(RestClient.class)
			.get()
			.uri(this.provider.url(host))
			.header("X-Account", account)
			.retrieve()
			.toBodilessEntity();
	}

	@Test
	void aRestClientARestTemplateAndAnHttpInterfaceShareOneBudget() {
		call(this.app, "127.0.0.1", "any");
		this.app.bean(RestTemplate.class).getForObject(this.provider.url("127.0.0.1"), Void.class);
		for (Runnable call : new Runnable[] { () -> call(this.app, "127.0.0.1", "any"),
				() -> this.app.bean(RestTemplate.class).getForObject(this.provider.url("127.0.0.1"), Void.class),
				() -> this.app.bean(OutboundApp.ProviderClient.class).call() }) {
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(call::run)
				.withMessage("A call to 127.0.0.1 was not made: rate limit 'provider' has no turn for it within PT0S")
				.satisfies((refused) -> assertThat(refused.retryAfter()).hasValueSatisfying(
						(wait) -> assertThat(wait).isPositive().isLessThanOrEqualTo(Duration.ofMinutes(10))));
		}
		assertThat(this.provider.arrivalsMicros()).hasSize(2);
	}

	@Test
	void aHeaderOfTheCallTellsWhoIsCounted() {
		call(this.app, "localhost", "a");
		call(this.app, "localhost", "a");
		call(this.app, "localhost", "b");
		assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> call(this.app, "localhost", "a"));
	}

	@Test
	void callsToOtherHostsAskNoRule() {
		long before = SharedCluster.scriptCalls(this.app);
		call(this.app, "127.0.0.2", "any");
		assertThat(SharedCluster.scriptCalls(this.app)).isEqualTo(before);
		assertThat(this.provider.arrivalsMicros()).hasSize(1);
	}

	@ParameterizedTest
	@CsvSource({ "429, Retry-After, 60", "503, Retry-After, 60", "200, RateLimit, '\"default\";r=0;t=60'",
			"200, RateLimit, 'limit=9, remaining=0, reset=60'" })
	void whatTheProviderAsksForPausesTheKeyOnAllInstances(int status, String header, String value) {
		this.provider.answer(status, Map.of(header, value));
		try (App other = startApp()) {
			assertThat(this.app.bean(RestClient.class)
				.get()
				.uri(this.provider.url("localhost"))
				.header("X-Account", "a")
				.<Integer>exchange((request, response) -> response.getStatusCode().value())).isEqualTo(status);
			this.provider.answer(200, Map.of());
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> call(other, "localhost", "a"));
			call(other, "localhost", "b");
		}
		assertThat(this.provider.arrivalsMicros()).hasSize(2);
	}

	@Test
	void anAnswerReachesTheCallerWhateverItAsksFor() {
		this.provider.answer(429, Map.of("Retry-After", "1"));
		assertThatExceptionOfType(HttpClientErrorException.TooManyRequests.class)
			.isThrownBy(() -> call(this.app, "127.0.0.1", "any"));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "{hosts: a.example} | ratelimit.clients.x.rule | is missing",
					"{rule: nope, hosts: a.example} | ratelimit.clients.x.rule | is no rule",
					"{rule: bucket, hosts: a.example} | ratelimit.clients.x.rule | nobody can wait",
					"{rule: pair, hosts: a.example} | ratelimit.clients.x.rule | several values",
					"{rule: all} | ratelimit.clients.x.hosts | is missing",
					"{rule: all, hosts: 'https://a.example'} | ratelimit.clients.x.hosts | is no host",
					"{rule: all, hosts: a.example, max-wait: 25h} | ratelimit.clients.x.max-wait | out of range",
					"{rule: all, hosts: a.example, key: host} | ratelimit.clients.x.key | is never looked at",
					"{rule: one, hosts: a.example, key: 'header:'} | ratelimit.clients.x.key | nobody to be counted",
					"{rule: all, host: a.example} | ratelimit.clients.x.host | Did you mean hosts" })
	void aWrongSettingStopsTheStartAndIsNamed(String client, String property, String reason) {
		Throwable failure = catchThrowable(() -> App.start("""
				ratelimit:
				  store: memory
				  rules:
				    all: {key: global, thresholds: 1/1s}
				    one: {thresholds: 1/1s}
				    pair: {key: [ip, 'header:X'], thresholds: 1/1s}
				    bucket: {key: global, algorithm: token-bucket, thresholds: 1/1s}
				  clients.x: %s
				""".formatted(client)).close());
		assertThat(failure).as("of " + SpringApplication.class).isNotNull();
		assertThat(failure).rootCause().hasMessageContainingAll(property, reason);
	}

}
