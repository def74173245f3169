package dev.ratelimit.backtest.log;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class JsonFormatTests {

	private static LogLine parse(String line) {
		return LogFormat.JSON.parse(new RawLine(7, line.getBytes(StandardCharsets.UTF_8), false));
	}

	@ParameterizedTest
	@ValueSource(strings = {
			// nginx, with the names of its variables
			"""
					{"time_iso8601":"2026-10-10T13:55:36+00:00","remote_addr":"192.0.2.1","remote_user":"frank",
					 "request":"GET /a?x=1 HTTP/1.1","status":200,"http_user_agent":"curl","http_x_api_key":"k1","http_referer":""}""",
			// the same with parts of the request
			"""
					{"msec":"1791640536.000","remote_addr":"192.0.2.1","remote_user":"frank","request_method":"GET","request_uri":"/a?x=1",
					 "status":"200","http_user_agent":"curl","http_x_api_key":"k1","http_referer":"-"}""",
			// Tomcat's JsonAccessLogValve
			"""
					{"time":"[10/Oct/2026:13:55:36 +0000]","remoteAddr":"192.0.2.1","user":"frank","method":"GET","path":"/a","query":"?x=1",
					 "statusCode":"200","requestHeaders":{"User-Agent":"curl","X-Api-Key":"k1"}}""",
			// Caddy
			"""
					{"ts":1791640536.0,"user":"frank","request":{"remote_ip":"192.0.2.1","method":"GET","uri":"/a?x=1",
					 "headers":{"User-Agent":["curl"],"X-Api-Key":["k1","k2"]}},"status":200}""",
			// any other log with plain field names
			"""
					{"timestamp":"2026-10-10 15:55:36.000 +0200","ip":"192.0.2.1","user":"frank","method":"GET","url":"/a","args":"x=1",
					 "status":200,"headers":{"user-agent":"curl","x-api-key":"k1"},"nested":{"deep":[1,{"a":null}]}}""" })
	void allCommonFieldNamesAreRead(String line) {
		assertThat(parse(line.replace("\n", "")))
			.isEqualTo(new LogLine(7, Instant.parse("2026-10-10T13:55:36Z"), "192.0.2.1", Optional.of("frank"), "GET",
					"/a", Optional.of("x=1"), 200, Map.of("user-agent", "curl", "x-api-key", "k1")));
	}

	@Test
	void cookiesMayHaveFieldsOfTheirOwn() {
		assertThat(parse("{\"time\":1,\"ip\":\"192.0.2.1\",\"request\":\"GET / HTTP/1.1\",\"status\":200,"
				+ "\"cookie_shop\":\"s1\",\"cookie_b\":\"2\"}")
			.headers()).isEqualTo(Map.of("cookie", "shop=s1; b=2"));
	}

	@Test
	void textIsUnicode() {
		assertThat(parse("{\"time\":1,\"ip\":\"192.0.2.1\",\"request\":\"GET / HTTP/1.1\",\"status\":200,"
				+ "\"http_x_name\":\"Zo\\u00eb \u00e9\u0000\"}".replace("\u0000", "\\u0000"))
			.headers()).containsEntry("x-name", "Zo\u00eb \u00e9\u0000");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', value = { "hello | is not in this format",
			"`{\"time\":1` | is not in this format", "`{\"time\":1e999,\"ip\":\"::1\"}` | has no time that can be read",
			"`{\"time\":1e300,\"ip\":\"::1\",\"status\":200,\"request\":\"GET / HTTP/1.1\"}` | has no time that can be read",
			"[] | is not in this format", "1 | is not in this format", "null | is not in this format",
			"{} | has no time that can be read", "`{\"time\":1}` | has no address",
			"`{\"time\":1,\"ip\":\"::1\"}` | has no status",
			"`{\"time\":1,\"ip\":\"::1\",\"status\":200}` | has no request",
			"`{\"time\":1,\"ip\":\"::1\",\"status\":200,\"request\":\"-\"}` | has no request",
			"`{\"time\":1,\"ip\":\"::1\",\"status\":2000,\"request\":\"GET / HTTP/1.1\"}` | has no status",
			"`{\"time\":true,\"ip\":\"::1\",\"status\":200}` | has no time that can be read",
			"`{\"time\":\"2026-10-10T13:55:36\",\"ip\":\"::1\",\"status\":200,\"request\":\"GET / HTTP/1.1\"}` | has a time without its offset",
			"`{\"time\":\"yesterday\",\"ip\":\"::1\",\"status\":200,\"request\":\"GET / HTTP/1.1\"}` | has no time that can be read" })
	void theReasonOfABrokenLineIsReported(String line, String reason) {
		assertThatExceptionOfType(BrokenLineException.class).isThrownBy(() -> parse(line)).withMessage(reason);
	}

	@Test
	void deeplyNestedJsonIsABrokenLine() {
		assertThatExceptionOfType(BrokenLineException.class)
			.isThrownBy(() -> parse("{\"a\":".repeat(5000) + "1" + "}".repeat(5000)));
	}

}
