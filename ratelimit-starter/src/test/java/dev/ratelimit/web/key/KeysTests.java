package dev.ratelimit.web.key;

import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import dev.ratelimit.fixture.Beans;
import dev.ratelimit.rule.KeySource;
import dev.ratelimit.web.servlet.ServletRequestFacts;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.Cookie;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.mock.web.MockHttpServletRequest;

import static org.assertj.core.api.Assertions.assertThat;

class KeysTests {

	private static final Beans BEANS = new Beans(Map.of("facts", (KeyResolver) KeysTests::facts, "blank",
			(KeyResolver) (request) -> Optional.of(" "), "nothing", (KeyResolver) (request) -> Optional.empty(),
			"broken", (KeyResolver) (request) -> Optional.of(request.header("X").orElseThrow()), "null",
			(KeyResolver) KeysTests::none));

	private final MockHttpServletRequest request = new MockHttpServletRequest("GET", "/v1/product");

	private final RequestFacts facts = new ServletRequestFacts(this.request, "/v1/product",
			new ClientAddresses(List.of(), false));

	private Optional<List<String>> key(String... sources) {
		return key(Map.of(), sources);
	}

	private Optional<List<String>> key(Map<String, String> variables, String... sources) {
		return new Keys("r", Stream.of(sources).map(KeySource::valueOf).toList(), "key", BEANS, System::nanoTime)
			.resolve(this.facts, variables);
	}

	@SuppressWarnings("NullAway")
	private static Optional<String> none(RequestFacts request) {
		return null;
	}

	@ParameterizedTest
	@ValueSource(strings = { "broken", "null" })
	void aBeanThatFailsHasNoKey(String bean) {
		BEANS.failures().clear();
		assertThat(key("bean:" + bean)).isEmpty();
		assertThat(key("ip", "bean:" + bean)).isEmpty();
		assertThat(BEANS.failures()).containsExactly("r key", "r key");
	}

	private static Optional<String> facts(RequestFacts request) {
		return Optional.of(request.method() + " " + request.path() + " from " + request.address());
	}

	@Test
	void ipIsTheAddress() {
		this.request.setRemoteAddr("1.2.3.4");
		assertThat(key("ip")).contains(List.of("1.2.3.4"));
	}

	@Test
	void globalIsAlwaysThere() {
		assertThat(key("global")).contains(List.of(""));
	}

	@Test
	void aHeaderIsFoundInAnyCase() {
		this.request.addHeader("x-tenant-id", "t1");
		assertThat(key("header:X-Tenant-Id")).contains(List.of("t1"));
	}

	@Test
	void ofSeveralHeadersTheFirstOneCounts() {
		this.request.addHeader("X-Tenant-Id", "t1");
		this.request.addHeader("X-Tenant-Id", "t2");
		assertThat(key("header:X-Tenant-Id")).contains(List.of("t1"));
	}

	@Test
	void anAbsentOrBlankHeaderIsMissingAndTheTextNullIsNot() {
		assertThat(key("header:X-Tenant-Id")).isEmpty();
		this.request.addHeader("X-Blank", " \t");
		assertThat(key("header:X-Blank")).isEmpty();
		this.request.addHeader("X-Null", "null");
		assertThat(key("header:X-Null")).contains(List.of("null"));
	}

	@Test
	void aCookieIsFoundByItsExactName() {
		assertThat(key("cookie:sid")).isEmpty();
		this.request.setCookies(new Cookie("SID", "x"), new Cookie("sid", "a"), new Cookie("sid", "b"));
		assertThat(key("cookie:sid")).contains(List.of("a"));
		this.request.setCookies(new Cookie("sid", ""));
		assertThat(key("cookie:sid")).isEmpty();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "key=a | a", "x=1&key=a&key=b | a", "key=a+b | a b", "key=%61%20b | a b", "%6bey=a | a",
					"key=a=b | a=b", "key=%C3%A9 | é", "key=%zz | %zz", "key=a% | a%", "key=%2 | %2", "&&=&key=a | a",
					"key=a;x=1 | a;x=1" })
	void aQueryParameterIsDecoded(String query, String value) {
		this.request.setQueryString(query);
		assertThat(key("query:key")).contains(List.of(value));
	}

	@ParameterizedTest
	@CsvSource({ "''", "key", "key=", "key=+", "key=%20", "KEY=a", "xkey=a", "=key", "key%3Da" })
	void anAbsentOrBlankQueryParameterIsMissing(String query) {
		this.request.setQueryString(query);
		assertThat(key("query:key")).isEmpty();
	}

	@Test
	void theFirstQueryParameterCountsEvenIfItIsBlank() {
		this.request.setQueryString("key=&key=b");
		assertThat(key("query:key")).isEmpty();
	}

	@Test
	void aQueryParameterIsNeverReadFromTheBody() {
		MockHttpServletRequest form = new MockHttpServletRequest("POST", "/") {

			@Override
			public ServletInputStream getInputStream() {
				throw new AssertionError("The body was read");
			}

			@Override
			public String getParameter(String name) {
				throw new AssertionError("Parameters were read, and with them the body");
			}

		};
		form.setContentType("application/x-www-form-urlencoded");
		form.setContent("key=body".getBytes(StandardCharsets.US_ASCII));
		RequestFacts facts = new ServletRequestFacts(form, "/", new ClientAddresses(List.of(), false));
		assertThat(facts.query("key")).isEmpty();
	}

	@Test
	void theAddressIsFoundOnceForAllRulesThatCountByIt() {
		assertThat(key("ip")).contains(List.of("127.0.0.1"));
		this.request.setRemoteAddr("192.0.2.1");
		assertThat(key("ip")).contains(List.of("127.0.0.1"));
	}

	@Test
	void thePrincipalIsTheNameOfTheUserWhateverItsClass() {
		assertThat(key("principal")).isEmpty();
		this.request.setUserPrincipal(() -> "alice");
		assertThat(key("principal")).contains(List.of("alice"));
		this.request.setUserPrincipal((Principal) () -> "");
		assertThat(key("principal")).isEmpty();
	}

	@Test
	void aSessionIsNeverCreatedAndAForgedIdIsNone() {
		this.request.setRequestedSessionId("forged");
		assertThat(key("session")).isEmpty();
		assertThat(this.request.getSession(false)).isNull();
		String id = this.request.getSession().getId();
		assertThat(key("session")).contains(List.of(id));
	}

	@Test
	void aPathVariableMayBeMissingOrBlank() {
		assertThat(key(Map.of("id", "7"), "path:id")).contains(List.of("7"));
		assertThat(key(Map.of("id", " "), "path:id")).isEmpty();
		assertThat(key("path:id")).isEmpty();
	}

	@Test
	void aBeanSeesTheFactsOfTheRequest() {
		assertThat(key("bean:facts")).contains(List.of("GET /v1/product from 127.0.0.1"));
	}

	@Test
	void aBeanThatFindsNothingOrABlankMeansThatTheKeyIsMissing() {
		assertThat(key("bean:nothing")).isEmpty();
		assertThat(key("bean:blank")).isEmpty();
	}

	@Test
	void aTupleHasAllItsPartsOrNone() {
		this.request.addHeader("X-Tenant-Id", "t1");
		assertThat(key(Map.of("id", "7"), "header:X-Tenant-Id", "path:id", "ip"))
			.contains(List.of("t1", "7", "127.0.0.1"));
		assertThat(key("header:X-Tenant-Id", "path:id", "ip")).isEmpty();
	}

}
