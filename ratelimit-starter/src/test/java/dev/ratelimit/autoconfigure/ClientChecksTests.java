package dev.ratelimit.autoconfigure;

import java.util.stream.Stream;

import dev.ratelimit.spi.InvalidSettingsException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The error that a user sees if a client has a wrong setting.
 */
class ClientChecksTests {

	private final ApplicationContextRunner withoutClient = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(RateLimitAutoConfiguration.class, RateLimitClientAutoConfiguration.class))
		.withPropertyValues("ratelimit.store=memory", "ratelimit.rules.r.key=global",
				"ratelimit.rules.r.thresholds=1/s");

	private final ApplicationContextRunner runner = this.withoutClient
		.withPropertyValues("ratelimit.clients.shop.rule=r");

	@ParameterizedTest
	@ValueSource(strings = { "-a.example", "a-.example", "a.-b.example", "a.b-.example", "a..example", ".a.example",
			"a.example.", "*", "*.*.example", "a.*", "a b", "a.example:443", "https://a.example", "a.example/x",
			"me@a.example", "b\u00fccher.example", "\u212a.example", "[]", "[::1]", "[::1]:80", "*.[::1]" })
	void aTextThatIsNoHostStopsTheStartAndIsNamedWithItsCure(String host) {
		this.runner.withPropertyValues("ratelimit.clients.shop.hosts=" + host).run((context) -> {
			Throwable failure = NestedExceptionUtils.getMostSpecificCause(context.getStartupFailure());
			assertThat(failure).isInstanceOf(InvalidSettingsException.class);
			assertThat(new InvalidSettingsFailureAnalyzer(new MockEnvironment()).analyze(failure))
				.satisfies((analysis) -> {
					assertThat(analysis.getDescription()).contains("Property: ratelimit.clients.shop.hosts",
							"Value: \"" + host + "\"", "Reason: is no host");
					assertThat(analysis.getAction()).contains(
							"ratelimit.clients.shop.hosts: Write it without scheme, port and path, such as api.example.com");
				});
		});
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "hosts=a.example | ratelimit.clients.x.rule | is missing",
					"rule=nope hosts=a.example | ratelimit.clients.x.rule | is no rule",
					"rule=bucket hosts=a.example | ratelimit.clients.x.rule | no call can wait",
					"rule=pair hosts=a.example | ratelimit.clients.x.rule | several values",
					"rule=r | ratelimit.clients.x.hosts | is missing",
					"rule=r hosts=https://a.example | ratelimit.clients.x.hosts | is no host",
					"rule=r hosts=a.example max-wait=25h | ratelimit.clients.x.max-wait | out of range",
					"rule=r hosts=a.example key=host | ratelimit.clients.x.key | is never looked at",
					"rule=one hosts=a.example key=header: | ratelimit.clients.x.key | no client to be counted",
					"rule=r host=a.example | ratelimit.clients.x.host | Did you mean hosts" })
	void aWrongSettingStopsTheStartAndIsNamed(String client, String property, String reason) {
		this.withoutClient
			.withPropertyValues("ratelimit.rules.one.thresholds=1/1s", "ratelimit.rules.pair.key=ip,header:X",
					"ratelimit.rules.pair.thresholds=1/1s", "ratelimit.rules.bucket.key=global",
					"ratelimit.rules.bucket.algorithm=token-bucket", "ratelimit.rules.bucket.thresholds=1/1s")
			.withPropertyValues(Stream.of(client.split(" ")).map("ratelimit.clients.x."::concat).toArray(String[]::new))
			.run((context) -> assertThat(NestedExceptionUtils.getMostSpecificCause(context.getStartupFailure()))
				.hasMessageContainingAll(property, reason));
	}

	@ParameterizedTest
	@ValueSource(strings = { "a", "service_a", "*.Example.ORG", "10.0.0.1", "x--y.1a", "a.example,b" })
	void aValidHostIsAccepted(String hosts) {
		this.runner.withPropertyValues("ratelimit.clients.shop.hosts=" + hosts)
			.run((context) -> assertThat(context).hasNotFailed());
	}

}
