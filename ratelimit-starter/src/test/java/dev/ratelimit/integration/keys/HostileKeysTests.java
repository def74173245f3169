package dev.ratelimit.integration.keys;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import dev.ratelimit.RateLimiter;
import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.RecordingMemoryStore;
import dev.ratelimit.integration.support.RawHttp;
import jakarta.servlet.http.HttpServletRequest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Values that clients may write where a key is read, over raw sockets: each value has a
 * bucket of its own, a missing one is counted by address, and Tomcat refuses the rest.
 */
class HostileKeysTests {

	private static final String YAML = """
			ratelimit.rules:
			  header: {paths: /product/header, key: 'header:X-Key', thresholds: 1/1d}
			  cookie: {paths: /product/cookie, key: 'cookie:k', thresholds: 1/1d}
			  query: {paths: /product/query, key: 'query:k', thresholds: 1/1d}
			  path: {paths: '/product/{id}/x', key: 'path:id', thresholds: 1/1d}
			  session: {paths: /session, key: session, thresholds: 1/1d}
			""";

	private static final String BY_ADDRESS = "i127.0.0.1";

	private static App app;

	@BeforeAll
	static void start() {
		app = App.start(YAML, Setup.class);
	}

	@AfterAll
	static void stop() {
		app.close();
	}

	@BeforeEach
	void resetStore() {
		app.bean(RecordingMemoryStore.class).reset();
	}

	static Stream<Sent> differentValues() {
		return Stream.of(
				sent(Carrier.HEADER, "a", "A", "{", "}", "{}x}", "a:b", "\u00e9", "e\u0301", "\ud83d\ude00", "a\tb",
						"a\u0085b", "%7d", "%00", "%0d%0aX: y", "a;b", "a,b", "\"a\"", "null", "x".repeat(7000),
						"x".repeat(6999) + "y", "${jndi:ldap://x}", "#{T(java.lang.Runtime)}", "{{7*7}}", "%n%s%x"),
				sent(Carrier.COOKIE, "a", "A", "{", "}", "{}x}", "a:b", "\u00e9", "\"a\"", "%00", "%7d", "a=b",
						"x".repeat(7000), "x".repeat(6999) + "y", "${jndi:ldap://x}", "{{7*7}}", "%n%s%x"),
				sent(Carrier.QUERY, "a", "A", "%7b", "%7d", "%7b%7dx%7d", "a:b", "%c3%a9", "e%cc%81", "%00",
						"%0d%0aX:+y", "a;b", "a,b", "a=b", "x".repeat(7000), "x".repeat(6999) + "y",
						"$%7bjndi:ldap:%2f%2fx%7d", "%7b%7b7*7%7d%7d"),
				sent(Carrier.PATH, "a", "A", "%7b", "%7d", "%7b%7dx%7d", "a:b", "%c3%a9", "e%cc%81", "%0d%0aX:%20y",
						"a,b", "a=b", "..", ".", "x".repeat(7000), "x".repeat(6999) + "y",
						"%23%7bT(java.lang.Runtime)%7d", "%7b%7b7*7%7d%7d"));
	}

	@ParameterizedTest
	@MethodSource("differentValues")
	@DisplayName("2.2, 2.10, 3.2 Each value of a header, cookie, parameter or path segment has a bucket of its own")
	void eachValueHasABucketOfItsOwn(Sent sent) {
		for (String value : sent.values()) {
			assertThat(status(sent.carrier(), value)).as(value).isEqualTo(200);
			assertThat(status(sent.carrier(), value)).as(value).isEqualTo(429);
		}
		assertThat(takeSubjects()).hasSize(2 * sent.values().size())
			.allMatch((subject) -> subject.matches("h[A-Za-z0-9_-]{22}"));
	}

	static Stream<Sent> spellings() {
		return Stream.of(sent(Carrier.HEADER, "a", " a", "a ", "\ta"), sent(Carrier.HEADER, "a b", "a\r\n b"),
				sent(Carrier.HEADER, "a\tb", "a\r\n\tb"), sent(Carrier.COOKIE, "a", " a", "a ", "a; k=b", "a; other=b"),
				sent(Carrier.QUERY, "a", "%61", "a&k=b", "a&", "a&K=b"), sent(Carrier.QUERY, "a+b", "a%20b"),
				sent(Carrier.PATH, "a", "%61", "a;b=c", "a;"));
	}

	@ParameterizedTest
	@MethodSource("spellings")
	void spellingsOfAValueShareItsBucket(Sent sent) {
		assertThat(status(sent.carrier(), sent.values().get(0))).isEqualTo(200);
		for (String spelling : sent.values()) {
			assertThat(status(sent.carrier(), spelling)).as(spelling).isEqualTo(429);
		}
	}

	static Stream<Sent> missingValues() {
		return Stream.of(sent(Carrier.HEADER, "", " ", "\t", "\r\nX-Kez: a", "\r\nX-Key: b"),
				sent(Carrier.COOKIE, "", " ", "\"a b\"", "a\"b", "a\tb", "; k=b", "a,b"),
				sent(Carrier.QUERY, "", "+", "%20", "%09", "&k=b", "&kk=b"), sent(Carrier.PATH, "%20", "%09"));
	}

	@ParameterizedTest
	@MethodSource("missingValues")
	void aMissingOrEmptyValueIsCountedByAddress(Sent sent) {
		for (String value : sent.values()) {
			status(sent.carrier(), value);
		}
		assertThat(takeSubjects()).hasSize(sent.values().size()).containsOnly(BY_ADDRESS);
	}

	static Stream<Sent> refusedValues() {
		return Stream.of(sent(Carrier.HEADER, "a\u0000b", "a\u0001b", "a\rb", "a\nb", "a\u007fb", "x".repeat(8200)),
				sent(Carrier.COOKIE, "a\u0000b", "a\rb", "a\nb", "x".repeat(8200)),
				sent(Carrier.QUERY, "a\u0000b", "a\rb", "{", "}", "\u00e9", "\"a\"", "x".repeat(8200)),
				sent(Carrier.PATH, "%00", "{", "\u00e9", "%ff", "%zz", "%", "a%2fb", "x".repeat(8200)));
	}

	@ParameterizedTest
	@MethodSource("refusedValues")
	void aRequestWithAnInvalidValueIsNotCounted(Sent sent) {
		for (String value : sent.values()) {
			assertThat(status(sent.carrier(), value)).as(value).isEqualTo(400);
		}
		assertThat(takeSubjects()).isEmpty();
	}

	@ParameterizedTest
	@EnumSource(names = { "HEADER", "COOKIE" })
	void ofManyValuesTheFirstOneCounts(Carrier carrier) {
		String others = (carrier == Carrier.HEADER) ? "\r\nx-key: other".repeat(90) : "; k=other".repeat(150);
		assertThat(status(carrier, "first" + others)).isEqualTo(200);
		assertThat(status(carrier, "first")).isEqualTo(429);
		assertThat(status(carrier, "other")).isEqualTo(200);
	}

	@ParameterizedTest
	@EnumSource
	void codeThatAcquiresWithTheSameValueCountsInTheSameBucket(Carrier carrier) {
		RateLimiter limiter = app.bean(RateLimiter.class);
		String rule = carrier.name().toLowerCase(Locale.ROOT);
		assertThat(status(carrier, "a:b")).isEqualTo(200);
		assertThat(limiter.tryAcquire(rule, "a:b").isAllowed()).isFalse();
		assertThat(limiter.tryAcquire(rule, "a").isAllowed()).isTrue();
		assertThat(status(carrier, "a")).isEqualTo(429);
	}

	@Test
	void aSessionHasItsOwnBucketAndAForgedOneIsCountedByAddress() {
		String first = app.get("/login").body();
		String second = app.get("/login").body();
		takeSubjects();
		for (String id : List.of(first, second)) {
			assertThat(app.get("/session", "Cookie", "JSESSIONID=" + id).statusCode()).isEqualTo(200);
			assertThat(app.get("/session", "Cookie", "JSESSIONID=" + id).statusCode()).isEqualTo(429);
		}
		assertThat(takeSubjects()).hasSize(4).doesNotContain(BY_ADDRESS);
		for (String id : List.of("", "forged", "}x", "..", first + "x")) {
			app.get("/session", "Cookie", "JSESSIONID=" + id);
		}
		assertThat(takeSubjects()).hasSize(5).containsOnly(BY_ADDRESS);
	}

	private static int status(Carrier carrier, String value) {
		String answer = RawHttp.exchange(app.port(), carrier.request(value));
		return Integer.parseInt(answer.substring(answer.indexOf(' ') + 1, answer.indexOf(' ') + 4));
	}

	/** The subjects of the acquire requests since the last call. */
	private static List<String> takeSubjects() {
		return app.bean(RecordingMemoryStore.class)
			.takeAcquired()
			.stream()
			.map((acquired) -> acquired.substring(acquired.indexOf(' ') + 1))
			.toList();
	}

	private static Sent sent(Carrier carrier, String... values) {
		return new Sent(carrier, List.of(values));
	}

	private static String request(String target, String header) {
		return "GET " + target + " HTTP/1.1\r\nHost: localhost\r\n" + header + "Connection: close\r\n\r\n";
	}

	record Sent(Carrier carrier, List<String> values) {
	}

	/** The part of a request that carries a value. */
	enum Carrier {

		HEADER, COOKIE, QUERY, PATH;

		private String request(String value) {
			return switch (this) {
				case HEADER -> HostileKeysTests.request("/product/header", "X-Key: " + value + "\r\n");
				case COOKIE -> HostileKeysTests.request("/product/cookie", "Cookie: k=" + value + "\r\n");
				case QUERY -> HostileKeysTests.request("/product/query?k=" + value, "");
				case PATH -> HostileKeysTests.request("/product/" + value + "/x", "");
			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Setup {

		@Bean
		RecordingMemoryStore rateLimitStore() {
			return new RecordingMemoryStore(new MovableClock());
		}

		@RestController
		static class Sessions {

			@GetMapping("/login")
			String login(HttpServletRequest request) {
				return request.getSession().getId();
			}

			@GetMapping("/session")
			String session() {
				return "";
			}

		}

	}

}
