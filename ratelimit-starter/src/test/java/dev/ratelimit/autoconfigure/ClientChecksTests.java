package dev.ratelimit.autoconfigure;

import dev.ratelimit.rule.source.InvalidSettingsException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a person reads who names hosts that are none.
 */
class ClientChecksTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(RateLimitAutoConfiguration.class, RateLimitClientAutoConfiguration.class))
		.withPropertyValues("ratelimit.store=memory", "ratelimit.rules.r.key=global",
				"ratelimit.rules.r.thresholds=1/s", "ratelimit.clients.shop.rule=r");

	@ParameterizedTest
	@ValueSource(strings = { "-a.example", "a-.example", "a.-b.example", "a.b-.example", "a..example", ".a.example",
			"a.example.", "*", "*.*.example", "a.*", "a b", "a.example:443", "https://a.example", "a.example/x",
			"me@a.example", "b\u00fccher.example", "\u212a.example", "[]", "[:]", "[...]", "[1:2]", "[::1]:80",
			"*.[::1]" })
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
	@ValueSource(
			strings = { "a", "service_a", "*.Example.ORG", "10.0.0.1", "[::1]", "[FE80::1]", "x--y.1a", "a.example,b" })
	void aHostIsTaken(String hosts) {
		this.runner.withPropertyValues("ratelimit.clients.shop.hosts=" + hosts)
			.run((context) -> assertThat(context).hasNotFailed());
	}

}
