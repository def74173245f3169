package dev.ratelimit.web.servlet;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import dev.ratelimit.fixture.Heap;
import dev.ratelimit.limiter.IpRange;
import dev.ratelimit.web.key.ClientAddresses;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.mock.web.MockHttpServletRequest;

import static org.assertj.core.api.Assertions.assertThat;

class ClientAddressesTests {

	private static final String PROXY = "10.0.0.1";

	private static final String STRANGER = "203.0.113.7";

	private static List<IpRange> trusted() {
		return Stream.of("10.0.0.0/8", "fd00::/8").map((range) -> IpRange.parse("trusted-proxies", range)).toList();
	}

	private static MockHttpServletRequest from(String peer, String header, String... lines) {
		MockHttpServletRequest request = new MockHttpServletRequest();
		request.setRemoteAddr(peer);
		Stream.of(lines).forEach((line) -> request.addHeader(header, line));
		return request;
	}

	@Nested
	class XForwardedFor {

		private final ClientAddresses addresses = new ClientAddresses(trusted(), false);

		private String of(String peer, String... lines) {
			return this.addresses.of(new ServletPeer(from(peer, "X-Forwarded-For", lines)));
		}

		@Test
		void noPeerIsBelievedUnlessTrusted() {
			ClientAddresses trustsNone = new ClientAddresses(List.of(), false);
			assertThat(trustsNone.of(new ServletPeer(from(PROXY, "X-Forwarded-For", "1.2.3.4")))).isEqualTo(PROXY);
			assertThat(of(STRANGER, "1.2.3.4")).isEqualTo(STRANGER);
		}

		@Test
		void aTrustedProxyIsBelieved() {
			assertThat(of(PROXY, "1.2.3.4")).isEqualTo("1.2.3.4");
			assertThat(of("::ffff:10.0.0.1", "1.2.3.4")).isEqualTo("1.2.3.4");
			assertThat(of(PROXY)).isEqualTo(PROXY);
		}

		@ParameterizedTest
		@CsvSource(delimiter = '|',
				value = { "6.6.6.6, 9.9.9.9 | 9.9.9.9", "9.9.9.9, 10.0.0.2 | 9.9.9.9",
						"6.6.6.6, 9.9.9.9, 10.0.0.2, 10.0.0.3 | 9.9.9.9", "10.0.0.9, 9.9.9.9, 10.0.0.2 | 9.9.9.9",
						"10.0.0.3, 10.0.0.2 | 10.0.0.3", "9.9.9.9,10.0.0.2 | 9.9.9.9" })
		void theRightMostUntrustedHopIsTheClientWhateverStandsLeftOfIt(String header, String client) {
			assertThat(of(PROXY, header)).isEqualTo(client);
		}

		@ParameterizedTest
		@ValueSource(strings = { "unknown", "localhost", "", ",", "0x01020304", "010.0.0.1", "1.2.3", "1.2.3.4\u200b",
				"6.6.6.6, unknown", "6.6.6.6,", "6.6.6.6, 1.2.3.4:port", "for=1.2.3.4", "\"1.2.3.4\"" })
		void aHopThatIsNoAddressEndsTheWalkAtTheLastTrustedOne(String header) {
			assertThat(of(PROXY, header)).isEqualTo(PROXY);
			assertThat(of(PROXY, header + ", 10.0.0.2")).isEqualTo("10.0.0.2");
		}

		@Test
		void severalLinesAreOneList() {
			assertThat(of(PROXY, "6.6.6.6", "9.9.9.9, 10.0.0.2", "10.0.0.3")).isEqualTo("9.9.9.9");
		}

		@ParameterizedTest
		@CsvSource({ "1.2.3.4:443, 1.2.3.4", "[2001:db8::1]:443, 2001:db8::1", "[2001:db8::1], 2001:db8::1",
				"2001:db8::1, 2001:db8::1" })
		void aPortIsNoPartOfAnAddress(String hop, String client) {
			assertThat(of(PROXY, hop)).isEqualTo(client);
		}

		@ParameterizedTest
		@ValueSource(strings = { "Forwarded", "X-Client-IP", "True-Client-IP", "X-Real-IP", "X-Originating-IP" })
		void noOtherHeaderIsRead(String header) {
			assertThat(this.addresses.of(new ServletPeer(from(PROXY, header, "1.2.3.4")))).isEqualTo(PROXY);
		}

		@Test
		void aWrapperCannotReplaceThePeerOrTheHeader() {
			HttpServletRequest wrapped = new HttpServletRequestWrapper(
					new HttpServletRequestWrapper(from(STRANGER, "X-Forwarded-For", "6.6.6.6"))) {

				@Override
				public String getRemoteAddr() {
					return PROXY;
				}

			};
			assertThat(this.addresses.of(new ServletPeer(wrapped))).isEqualTo(STRANGER);
		}

		@Test
		void aPeerThatTheContainerLostOrThatIsNoAddressIsNotTrusted() {
			MockHttpServletRequest lost = from(PROXY, "X-Forwarded-For", "1.2.3.4");
			lost.setRemoteAddr(null);
			assertThat(this.addresses.of(new ServletPeer(lost))).isEmpty();
			assertThat(of("/var/run/app.sock", "1.2.3.4")).isEmpty();
		}

		@Test
		void anAddressThatIsNoneCountsAsThePeerThatTheContainerLeft() {
			MockHttpServletRequest request = from("whatever", "X-Forwarded-For", "1.2.3.4");
			request.setAttribute(ClientAddresses.PEER_ATTRIBUTE, PROXY);
			assertThat(this.addresses.of(new ServletPeer(request))).isEqualTo(PROXY);
			assertThat(this.addresses.certain(new ServletPeer(request))).isEmpty();
		}

		@ParameterizedTest
		@CsvSource(delimiter = '|', value = { "1.2.3.4 | 1.2.3.4", "10.0.0.2 | 10.0.0.2", "unknown |",
				"6.6.6.6, unknown, 10.0.0.2 |", "unknown, 1.2.3.4, 10.0.0.2 | 1.2.3.4" })
		void anAddressIsCertainUnlessTheWalkWasAborted(String header, @Nullable String client) {
			assertThat(this.addresses.certain(new ServletPeer(from(PROXY, "X-Forwarded-For", header))))
				.isEqualTo(Optional.ofNullable(client));
		}

		@Test
		void aPeerIsCertain() {
			assertThat(this.addresses.certain(new ServletPeer(from(STRANGER, "X-Forwarded-For", "unknown"))))
				.contains(STRANGER);
			assertThat(this.addresses.certain(new ServletPeer(from(PROXY, "X-Forwarded-For")))).contains(PROXY);
		}

		@Test
		void hopsThatAClientWroteOnTheLeftAreNotEvenRead() {
			MockHttpServletRequest request = from(PROXY, "X-Forwarded-For", "9.9.9.9, 10.0.0.2");
			MockHttpServletRequest stuffed = from(PROXY, "X-Forwarded-For",
					"6.6.6.6, ".repeat(800) + "9.9.9.9, 10.0.0.2");
			assertThat(of(PROXY, "6.6.6.6, ".repeat(800) + "9.9.9.9, 10.0.0.2")).isEqualTo("9.9.9.9");
			assertThat(Heap.bytesOf(() -> this.addresses.of(new ServletPeer(stuffed))))
				.isLessThanOrEqualTo(Heap.bytesOf(() -> this.addresses.of(new ServletPeer(request))) + 200);
		}

	}

	@Nested
	class Forwarded {

		private final ClientAddresses addresses = new ClientAddresses(trusted(), true);

		private String of(String... lines) {
			return this.addresses.of(new ServletPeer(from(PROXY, "Forwarded", lines)));
		}

		@ParameterizedTest
		@CsvSource(delimiter = '|', quoteCharacter = '\'',
				value = { "for=1.2.3.4 | 1.2.3.4", "For=\"1.2.3.4:80\" | 1.2.3.4",
						"for=\"[2001:db8::1]:99\" | 2001:db8::1", "for=\"[2001:DB8::1]\";proto=https | 2001:DB8::1",
						"proto=http;by=10.0.0.1;for=1.2.3.4 | 1.2.3.4",
						"for=6.6.6.6, for=1.2.3.4;by=10.0.0.1 | 1.2.3.4",
						"for=6.6.6.6 , for = 1.2.3.4 ; proto=http , for=\"10.0.0.2\" | 1.2.3.4",
						"for=\"\\1.2.3.\\4\" | 1.2.3.4" })
		void readsTheForOfEveryElement(String header, String client) {
			assertThat(of(header)).isEqualTo(client);
		}

		@ParameterizedTest
		@ValueSource(strings = { "for=1.2.3.4;host=\"x,for=6.6.6.6\"", "for=1.2.3.4;host=\"x;for=6.6.6.6\"",
				"host=\"x;for=6.6.6.6\";for=1.2.3.4", "for=1.2.3.4;host=\"\\\",for=6.6.6.6\"" })
		void clientTextThatAProxyQuotesIsNoHop(String header) {
			assertThat(of(header)).isEqualTo("1.2.3.4");
		}

		@ParameterizedTest
		@ValueSource(strings = { "for=unknown", "for=_hidden", "", ",", "proto=http", "by=6.6.6.6", "6.6.6.6", "for",
				"for=6.6.6.6;for=7.7.7.7", "for=\"6.6.6.6", "for=6.6.6.6\"", "for=\"6.6.6.6\"7", "for=6.6.6.6;host=\"",
				"for=6.6.6.6;host=\"\\", "for=6.6.6.6;host=\"\\\"", "\"for=6.6.6.6\"", "for=6.6.6.6;=\"x\"y=\"z\"",
				"xfor=6.6.6.6" })
		void aMalformedOrAnonymousElementEndsTheWalkAtTheLastTrustedHop(String header) {
			assertThat(of(header)).isEqualTo(PROXY);
			assertThat(of(header, "for=10.0.0.2")).isEqualTo("10.0.0.2");
		}

		@Test
		void aMalformedLineOfTheClientHarmsNoLineOfAProxy() {
			assertThat(of("for=\"", "for=1.2.3.4")).isEqualTo("1.2.3.4");
		}

		@ParameterizedTest
		@ValueSource(strings = { "for=\"", "for=\"x, for=6.6.6.6", "host=\"\\\"", "\"",
				"for=\", for=6.6.6.6;host=\"x\"", "for=6.6.6.6\"; \"\\" })
		void aMalformedElementOfAClientHarmsNothingThatAProxyAppends(String written) {
			assertThat(of(written + ", for=1.2.3.4;host=\"a\\\",b\"")).isEqualTo("1.2.3.4");
			assertThat(of(written + ",for=\"1.2.3.4:80\", for=10.0.0.2;by=_x")).isEqualTo("1.2.3.4");
		}

		@Test
		void hopsThatAClientWroteOnTheLeftAreNotEvenRead() {
			MockHttpServletRequest request = from(PROXY, "Forwarded", "for=9.9.9.9, for=10.0.0.2");
			MockHttpServletRequest stuffed = from(PROXY, "Forwarded",
					"for=6.6.6.6, ".repeat(600) + "for=9.9.9.9, for=10.0.0.2");
			assertThat(Heap.bytesOf(() -> this.addresses.of(new ServletPeer(stuffed))))
				.isLessThanOrEqualTo(Heap.bytesOf(() -> this.addresses.of(new ServletPeer(request))) + 200);
		}

		@Test
		void anAddressBehindAMalformedElementIsNotCertain() {
			assertThat(this.addresses.certain(new ServletPeer(from(PROXY, "Forwarded", "for=\", for=10.0.0.2"))))
				.isEmpty();
			assertThat(this.addresses.certain(new ServletPeer(from(PROXY, "Forwarded", "for=\", for=1.2.3.4"))))
				.contains("1.2.3.4");
		}

		@Test
		void xForwardedForIsNotRead() {
			assertThat(this.addresses.of(new ServletPeer(from(PROXY, "X-Forwarded-For", "1.2.3.4")))).isEqualTo(PROXY);
		}

	}

}
