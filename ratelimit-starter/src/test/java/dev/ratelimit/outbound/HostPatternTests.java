package dev.ratelimit.outbound;

import java.net.URI;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class HostPatternTests {

	@ParameterizedTest
	@CsvSource({ "api.example.com, api.example.com, true", "API.Example.com, api.example.COM, true",
			"api.example.com, x.api.example.com, false", "*.example.com, api.example.com, true",
			"*.example.com, a.b.example.COM, true", "*.example.com, example.com, false",
			"*.example.com, .example.com, false", "*.example.com, evilexample.com, false",
			"*.example.com, api.example.com.evil.org, false", "127.0.0.1, 127.0.0.1, true",
			"a--b.c_d.example, a--b.c_d.example, true", "1.2b, 1.2b, true" })
	void coversAHostOrAllBelowADomain(String pattern, String host, boolean covers) {
		assertThat(new HostPattern(pattern).matches(host)).isEqualTo(covers);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "*", "*.", ".", "https://a.example", "a.example:443", "a.example/x", "a b",
			"*.*.example", "a..b", "a.example.", ".a.example", "-a.example", "a-.example", "a.-b.example",
			"a.b-.example", "a.*", "user@a.example", "\u212a.example", "b\u00fccher.example", "[::1]", "::1",
			"[::1]:80", "[127.0.0.1]", "*.[::1]" })
	void isNothingElse(String pattern) {
		assertThatIllegalArgumentException().isThrownBy(() -> new HostPattern(pattern))
			.withMessageContaining("is no host");
	}

	@ParameterizedTest
	@CsvSource({ "http://API.Example.com:80/x, api.example.com", "http://me:pw@a_b:80/, a_b", "http://A_B, a_b",
			"http://[::1]:80, [::1]", "mailto:me, ''", "/x, ''" })
	void theHostOfACallIsKnownAlsoWhereItHasAnUnderscore(URI uri, String host) {
		assertThat(HostPattern.hostOf(uri)).isEqualTo(host);
	}

}
