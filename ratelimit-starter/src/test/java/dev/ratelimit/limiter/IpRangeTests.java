package dev.ratelimit.limiter;

import dev.ratelimit.rule.InvalidRuleException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class IpRangeTests {

	@ParameterizedTest
	@CsvSource({ "10.0.0.0/8, 10.255.0.1, true", "10.0.0.0/8, 11.0.0.0, false", "10.1.2.3/8, 10.9.9.9, true",
			"192.168.1.7, 192.168.1.7, true", "192.168.1.7, 192.168.1.8, false", "192.168.1.4/31, 192.168.1.5, true",
			"192.168.1.4/31, 192.168.1.6, false", "0.0.0.0/0, 8.8.8.8, true", "0.0.0.0/0, 2001:db8::1, false",
			"2001:db8::/33, 2001:db8:7fff::1, true", "2001:db8::/33, 2001:db8:8000::1, false", "::1, ::1, true",
			"10.0.0.0/8, ::ffff:10.1.1.1, true", "::ffff:10.1.1.1, 10.1.1.1, true", "' 10.0.0.0/8 ', 10.0.0.1, true" })
	void containsAddressesThatShareItsPrefix(String range, String address, boolean contained) {
		assertThat(IpRange.parse("trusted-proxies", range).contains(IpAddress.parse(address).orElseThrow()))
			.isEqualTo(contained);
	}

	@Test
	void isEverythingOnlyWithAPrefixOfZero() {
		assertThat(IpRange.parse("trusted-proxies", "::/0").isEverything()).isTrue();
		assertThat(IpRange.parse("trusted-proxies", "0.0.0.0/1").isEverything()).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "localhost", "proxy.example.org", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/",
			"10.0.0.0/8/8", "10.0.0.0/+8", "10.0.0.0/eight", "::/129", "10.0.0/8", "*", "10.0.0.*" })
	void refusesTextThatIsNoRangeAndNamesTheCure(String text) {
		assertThatExceptionOfType(InvalidRuleException.class)
			.isThrownBy(() -> IpRange.parse("trusted-proxies[0]", text))
			.withMessageStartingWith("trusted-proxies[0] '" + text + "'")
			.withMessageContaining("Write for example 10.0.0.0/8");
	}

}
