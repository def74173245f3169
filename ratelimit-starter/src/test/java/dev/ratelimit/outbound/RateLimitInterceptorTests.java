package dev.ratelimit.outbound;

import java.io.InterruptedIOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

import dev.ratelimit.RateLimitDecision.Quota;
import dev.ratelimit.RateLimitDecision.Rejected;
import dev.ratelimit.RateLimitDecision.Source;
import dev.ratelimit.RateLimitExceededException;
import dev.ratelimit.fixture.MovableClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.http.HttpHeaders;
import org.springframework.web.client.ResourceAccessException;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * An interceptor and its clients, created without auto-configuration.
 */
@ParameterizedClass
@EnumSource
class RateLimitInterceptorTests {

	private static final Duration WAIT = Duration.ofSeconds(2);

	/** The synchronous clients of Spring. */
	enum Client {

		REST_TEMPLATE {

			@Override
			Consumer<URI> calling(StubProvider provider, RateLimitInterceptor interceptor) {
				RestTemplate template = new RestTemplate(provider);
				template.setInterceptors(List.of(interceptor));
				return (uri) -> template.getForObject(uri, String.class);
			}

		},

		REST_CLIENT {

			@Override
			Consumer<URI> calling(StubProvider provider, RateLimitInterceptor interceptor) {
				RestClient client = RestClient.builder()
					.requestFactory(provider)
					.requestInterceptor(interceptor)
					.build();
				return (uri) -> client.get().uri(uri).retrieve().toBodilessEntity();
			}

		};

		abstract Consumer<URI> calling(StubProvider provider, RateLimitInterceptor interceptor);

	}

	@Parameter
	Client client;

	private final MovableClock clock = new MovableClock();

	private final StubLimiter limiter = new StubLimiter();

	private final StubProvider provider = new StubProvider();

	private RateLimitInterceptorBuilder builder() {
		return RateLimitInterceptor.builder(this.limiter, this.clock);
	}

	private void call(RateLimitInterceptorBuilder builder, String uri) {
		this.client.calling(this.provider, builder.build()).accept(URI.create(uri));
	}

	@Test
	void aCallIsMadeWhenItsTurnHasCome() {
		call(builder().limit("github", WAIT, "api.github.com"), "https://api.github.com/users?page=2");
		assertThat(this.limiter.calls()).containsExactly("acquire 1 of github [] within PT2S");
		assertThat(this.provider.called()).containsExactly("https://api.github.com/users?page=2");
	}

	@ParameterizedTest
	@CsvSource({ "http://API.GitHub.com, true", "http://api.github.com:8080/x, true", "http://a.b.example.org, true",
			"http://example.org, false", "http://evilexample.org, false", "http://github.com, false",
			"http://api.github.com.evil.net, false", "http://user@service_a:80/x, true", "http://[::1]:8080/, false" })
	void callsToTheseHostsAreLimitedAndOthersAreNot(String uri, boolean limited) {
		call(builder().limit("r", WAIT, "api.github.com", "*.example.org", "service_a"), uri);
		assertThat(this.limiter.calls()).hasSize(limited ? 1 : 0);
		assertThat(this.provider.called()).hasSize(1);
	}

	@Test
	void theResponseIsClosedWhereItsPauseCannotBeStored() {
		this.provider.answer("Retry-After", "5");
		this.limiter.failToPause();
		assertThatIllegalArgumentException()
			.isThrownBy(() -> call(builder().limit("gone", WAIT), "http://anything.example"));
		assertThat(this.provider.isClosed()).isTrue();
	}

	@Test
	void withoutHostsEveryCallIsLimited() {
		call(builder().limit("r", WAIT), "http://anything.example");
		assertThat(this.limiter.calls()).hasSize(1);
	}

	@Test
	void theKeyIsThatOfTheCall() {
		call(builder().limit("r", (request) -> request.getURI().getPath(), WAIT, "a.example"), "http://a.example/me");
		assertThat(this.limiter.calls()).containsExactly("acquire 1 of r [/me] within PT2S");
	}

	@Test
	void severalLimitsAreWaitedForInTheirOrder() {
		RateLimitInterceptorBuilder builder = builder().limit("first", Duration.ZERO, "*.a.example")
			.limit("other", WAIT, "b.example")
			.limit("second", (request) -> "k", WAIT, "x.a.example")
			.limit("third", Duration.ofDays(1));
		call(builder, "http://x.a.example");
		assertThat(this.limiter.calls()).containsExactly("acquire 1 of first [] within PT0S",
				"acquire 1 of second [k] within PT2S", "acquire 1 of third [] within PT24H");
	}

	@Test
	void aRefusalIsThrownAndTheCallIsNotMade() {
		Rejected refusal = new Rejected("second", Source.STORE,
				List.of(new Quota("second", 1, Duration.ofMinutes(1), 0, WAIT, Optional.of(Duration.ofSeconds(7)))));
		this.limiter.refuse(refusal);
		RateLimitInterceptorBuilder builder = builder().limit("first", WAIT)
			.limit("second", WAIT, "a.example")
			.limit("third", WAIT);
		assertThatExceptionOfType(RateLimitExceededException.class)
			.isThrownBy(() -> call(builder, "http://A.example/secret"))
			.withMessage("A call to a.example was not made: rate limit 'second' has no turn for it within PT2S")
			.satisfies((refused) -> {
				assertThat(refused.refusals()).containsExactly(refusal);
				assertThat(refused.retryAfter()).contains(Duration.ofSeconds(7));
			});
		assertThat(this.limiter.calls()).hasSize(2);
		assertThat(this.provider.called()).isEmpty();
	}

	@Test
	void anInterruptedThreadStopsWaitingAndStaysInterrupted() {
		this.limiter.interrupt();
		assertThatExceptionOfType(ResourceAccessException.class)
			.isThrownBy(() -> call(builder().limit("r", WAIT), "http://a.example"))
			.havingCause()
			.isInstanceOf(InterruptedIOException.class)
			.withMessage("Interrupted while waiting for a turn under rate limit 'r'")
			.withCauseInstanceOf(InterruptedException.class);
		assertThat(Thread.interrupted()).isTrue();
		assertThat(this.provider.called()).isEmpty();
	}

	@Test
	void theRetryAfterOfAProviderPausesAllLimitsOfTheCallByTheClock() {
		this.provider.answer(HttpHeaders.RETRY_AFTER, "Fri, 20 Nov 2026 09:30:50 GMT");
		assertThat(this.clock.instant()).isEqualTo(Instant.parse("2026-11-20T09:30:20Z"));
		RateLimitInterceptorBuilder builder = builder().limit("one", WAIT, "a.example")
			.limit("other", WAIT, "b.example")
			.limit("two", (request) -> "k", WAIT);
		assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> call(builder, "http://a.example"))
			.withMessageContaining("429");
		assertThat(this.limiter.calls()).endsWith("pause one [] for PT30S", "pause two [k] for PT30S").hasSize(4);
	}

	@Test
	void aResponseOfAHostThatIsNotLimitedPausesNothing() {
		this.provider.answer(HttpHeaders.RETRY_AFTER, "30");
		assertThatExceptionOfType(RuntimeException.class)
			.isThrownBy(() -> call(builder().limit("r", WAIT, "b.example"), "http://a.example"));
		assertThat(this.limiter.calls()).isEmpty();
	}

	@Test
	void anInterceptorDoesNotChangeWithItsBuilder() {
		RateLimitInterceptorBuilder builder = builder().limit("r", WAIT);
		RateLimitInterceptor built = builder.build();
		builder.limit("s", WAIT);
		this.client.calling(this.provider, built).accept(URI.create("http://a.example"));
		assertThat(this.limiter.calls()).hasSize(1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "-PT0.001S", "PT24H0.001S" })
	void aWaitOutOfRangeIsRefused(Duration wait) {
		assertThatIllegalArgumentException().isThrownBy(() -> builder().limit("r", wait, "a.example"))
			.withMessage("A call waits for its turn from 0s to 1d, not " + wait);
	}

	@Test
	void anInvalidHostIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> builder().limit("r", WAIT, "https://a.example"))
			.withMessageContaining("'https://a.example' is no host");
	}

}
