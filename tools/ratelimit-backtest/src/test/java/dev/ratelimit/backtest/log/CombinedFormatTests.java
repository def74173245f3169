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

class CombinedFormatTests {

	private static LogLine parse(String line) {
		return LogFormat.COMBINED.parse(new RawLine(7, line.getBytes(StandardCharsets.ISO_8859_1), false));
	}

	private static LogLine request(String request) {
		return parse("192.0.2.1 - - [10/Oct/2026:13:55:36 +0000] \"" + request + "\" 200 1 \"-\" \"-\"");
	}

	@Test
	void everyFieldIsRead() {
		assertThat(parse("192.0.2.1 - frank [10/Oct/2026:13:55:36 -0700] \"GET /a%20b?x=1&y HTTP/1.1\" 404 2326 "
				+ "\"http://example.com/start\" \"Mozilla/5.0 (X11)\""))
			.isEqualTo(new LogLine(7, Instant.parse("2026-10-10T20:55:36Z"), "192.0.2.1", Optional.of("frank"), "GET",
					"/a%20b", Optional.of("x=1&y"), 404,
					Map.of("referer", "http://example.com/start", "user-agent", "Mozilla/5.0 (X11)")));
	}

	@Test
	void aDashMeansAnAbsentValue() {
		LogLine line = parse("::1 - - [10/Oct/2026:13:55:36 +0000] \"GET / HTTP/1.1\" 200 - \"-\" \"-\"");
		assertThat(line.user()).isEmpty();
		assertThat(line.query()).isEmpty();
		assertThat(line.headers()).isEmpty();
		assertThat(line.address()).isEqualTo("::1");
	}

	@Test
	void theCommonFormatLacksTheHeaders() {
		LogLine line = parse("192.0.2.1 - - [10/Oct/2026:13:55:36 +0000] \"GET / HTTP/1.1\" 200 5");
		assertThat(line.status()).isEqualTo(200);
		assertThat(line.headers()).isEmpty();
	}

	@Test
	void textBehindTheKnownFieldsIsIgnored() {
		assertThat(parse("192.0.2.1 - - [10/Oct/2026:13:55:36 +0000] \"GET / HTTP/1.1\" 200 5 \"-\" \"curl\" 0.003 \"x")
			.headers()).isEqualTo(Map.of("user-agent", "curl"));
	}

	@Test
	void aUserNameMayContainBlanks() {
		assertThat(parse("192.0.2.1 - john doe [10/Oct/2026:13:55:36 +0000] \"GET / HTTP/1.1\" 200 5").user())
			.contains("john doe");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			value = { "say \\\"hi\\\" | say \"hi\"", "back\\\\slash | back\\slash", "\\x22quoted\\x5c | \"quoted\\",
					"\\xC3\\xa9 | \u00c3\u00a9", "a\\tb\\nc | `a\tb\nc`", "\\xZZ | xZZ", "\\x4 | x4" })
	void escapesOfServersAreUnescaped(String written, String meant) {
		LogLine line = parse(
				"192.0.2.1 - - [10/Oct/2026:13:55:36 +0000] \"GET / HTTP/1.1\" 200 5 \"-\" \"" + written + "\"");
		assertThat(line.headers()).containsEntry("user-agent", meant);
	}

	@ParameterizedTest
	@CsvSource({ "GET http://shop.example/a?b HTTP/1.1, /a", "GET https://shop.example HTTP/1.1, /",
			"GET //a/b HTTP/1.1, //a/b", "GET /a, /a", "GET /a;v=1/b HTTP/2.0, /a;v=1/b", "OPTIONS * HTTP/1.1, *" })
	void thePathIsReadFromTheRequest(String request, String path) {
		assertThat(request(request).path()).isEqualTo(path);
	}

	@ParameterizedTest
	@ValueSource(strings = { "-", "", "\\x16\\x03\\x01", "GET", "GET  HTTP/1.1", "G\\x00T / HTTP/1.1",
			"GET /a b HTTP/1.1", " / HTTP/1.1", "/ HTTP/1.1" })
	void aLineWithoutARequestIsBroken(String request) {
		assertThatExceptionOfType(BrokenLineException.class).isThrownBy(() -> request(request))
			.extracting(BrokenLineException::reason)
			.isEqualTo("has no request");
	}

	@Test
	void aTunnelHasNoPath() {
		assertThatExceptionOfType(BrokenLineException.class)
			.isThrownBy(() -> request("CONNECT example.com:443 HTTP/1.1"))
			.withMessage("has no path");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', value = { "hello | is not in this format",
			"`{\"time\":\"now\"}` | is not in this format", "`\0\0\0\0` | is not in this format",
			"`192.0.2.1 - - [10/Oct/2026:13:55:36 +0000] \"GET / HT` | has a quote that does not end",
			"`192.0.2.1 - - [10/Oct/2026:13:55:36 +0000] \"GET /\\` | has a quote that does not end",
			"`192.0.2.1 - - [10/Oct/2026:13:55:36 +0000] GET / 200 5` | is not in this format",
			"`192.0.2.1 - - [10/Oct/2026:13:55:36 +0000] \"GET / HTTP/1.1\" OK 5` | has no status",
			"`192.0.2.1 - - [10/Oct/2026:13:55:36 +0000] \"GET / HTTP/1.1\" 20x 5` | has no status",
			"`192.0.2.1 - - [10/Oct/2026:13:55:36 +0000] \"GET / HTTP/1.1\"` | is not in this format",
			"` - - [10/Oct/2026:13:55:36 +0000] \"GET / HTTP/1.1\" 200 5` | has no address",
			"`192.0.2.1 - - [31/Feb/2026:13:55:36 +0000] \"GET / HTTP/1.1\" 200 5` | has no time that can be read" })
	void theReasonOfABrokenLineIsReported(String line, String reason) {
		assertThatExceptionOfType(BrokenLineException.class).isThrownBy(() -> parse(line)).withMessage(reason);
	}

}
