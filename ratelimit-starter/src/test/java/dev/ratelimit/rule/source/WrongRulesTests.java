package dev.ratelimit.rule.source;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every wrong setting of a rule stops the start, and the message names property, value,
 * place, reason and cure.
 */
class WrongRulesTests {

	static Stream<Wrong> thresholds() {
		return Stream.of(
				wrong("CONF-001 negative threshold", "thresholds: [{threshold: -1, window: 1s}]",
						"thresholds[0].threshold", "-1", "is not a whole number of at least 1", "Write a whole number"),
				wrong("CONF-001 negative threshold, short", "thresholds: -1/1s", "thresholds", "-1/1s",
						"has a threshold that is not a whole number of at least 1", "Write a whole number"),
				wrong("CONF-002 zero threshold", "thresholds: [{threshold: 0, window: 1s}]", "thresholds[0].threshold",
						"0", "is not a whole number of at least 1", "from 1 to"),
				wrong("CONF-003 largest long", "thresholds: [{threshold: 9223372036854775807, window: 1s}]",
						"thresholds[0].threshold", "9223372036854775807", "is out of range", "to 999999999999999"),
				wrong("CONF-004 above 2^53", "thresholds: 9007199254740993/1s", "thresholds", "9007199254740993/1s",
						"has a threshold that is out of range", "to 999999999999999"),
				wrong("CONF-005 no long", "thresholds: [{threshold: 9223372036854775808, window: 1s}]",
						"thresholds[0].threshold", "9223372036854775808", "is out of range", "to 999999999999999"),
				wrong("one too many digits", "thresholds: 1000000000000000/1s", "thresholds", "1000000000000000/1s",
						"has a threshold that is out of range", "to 999999999999999"),
				wrong("too large for a log", "thresholds: 1000001/1s", "thresholds", "1000001/1s",
						"is too large for a log", "at most 1000000"),
				wrong("CONF-006 exponent", "thresholds: [{threshold: 1e3, window: 1s}]", "thresholds[0].threshold",
						"1e3", "is not a whole number", "plain digits"),
				wrong("exponent with a point", "thresholds: [{threshold: 1.0e3, window: 1s}]",
						"thresholds[0].threshold", "1.0e3", "is not a whole number", "plain digits"),
				wrong("fraction", "thresholds: [{threshold: 1.5, window: 1s}]", "thresholds[0].threshold", "1.5",
						"is not a whole number", "plain digits"),
				wrong("leading zero, which YAML reads as octal", "thresholds: [{threshold: 010, window: 1s}]",
						"thresholds[0].threshold", "010", "is not a whole number", "without a leading zero"),
				wrong("leading zero, short", "thresholds: 010/1s", "thresholds", "010/1s",
						"has a threshold that is not a whole number", "without a leading zero"),
				wrong("leading zero of a window", "thresholds: 10/01s", "thresholds", "10/01s",
						"has a window that is not a positive duration with a unit", "such as 500ms"),
				wrong("hexadecimal", "thresholds: [{threshold: 0x10, window: 1s}]", "thresholds[0].threshold", "0x10",
						"is not a whole number", "plain digits"),
				wrong("separators", "thresholds: [{threshold: 1_000, window: 1s}]", "thresholds[0].threshold", "1_000",
						"is not a whole number", "plain digits"),
				wrong("blank inside", "thresholds: 10 /1s", "thresholds", "10 /1s",
						"has a threshold that is not a whole number", "plain digits"),
				wrong("CONF-008 zero window", "thresholds: [{threshold: 10, window: 0s}]", "thresholds[0].window", "0s",
						"is not a positive duration with a unit", "from 1ms to 400d"),
				wrong("CONF-009 negative window", "thresholds: [{threshold: 10, window: -5s}]", "thresholds[0].window",
						"-5s", "is not a positive duration", "from 1ms to 400d"),
				wrong("CONF-010 bare number as window", "thresholds: [{threshold: 10, window: 10}]",
						"thresholds[0].window", "10", "is not a positive duration with a unit", "with its unit"),
				wrong("CONF-010 bare number as window, short", "thresholds: 10/10", "thresholds", "10/10",
						"has a window that is not a positive duration with a unit", "with its unit"),
				wrong("sexagesimal, which YAML reads as ninety", "thresholds: [{threshold: 10, window: 1:30}]",
						"thresholds[0].window", "1:30", "is not a positive duration", "with its unit"),
				wrong("CONF-011 nanosecond", "thresholds: [{threshold: 10, window: 1ns}]", "thresholds[0].window",
						"1ns", "has an unknown unit", "from 1ms"),
				wrong("CONF-012 microseconds", "thresholds: [{threshold: 10, window: 999us}]", "thresholds[0].window",
						"999us", "has an unknown unit", "from 1ms"),
				wrong("CONF-014 overflow", "thresholds: [{threshold: 10, window: 106751991167300d}]",
						"thresholds[0].window", "106751991167300d", "is out of range", "to 400d"),
				wrong("more than 400 days", "thresholds: 10/401d", "thresholds", "10/401d",
						"has a window that is out of range", "to 400d"),
				wrong("upper-case unit", "thresholds: 10/2S", "thresholds", "10/2S",
						"has a window that has an unknown unit", "such as 500ms"),
				wrong("upper-case unit alone", "thresholds: 10/MINUTE", "thresholds", "10/MINUTE",
						"has a window that has an unknown unit", "minute or day"),
				wrong("unknown unit", "thresholds: 10/2w", "thresholds", "10/2w", "has an unknown unit", "1d"),
				wrong("number before a long unit", "thresholds: 10/2minute", "thresholds", "10/2minute",
						"has an unknown unit", "a unit alone"),
				wrong("ISO duration", "thresholds: 10/PT2S", "thresholds", "10/PT2S", "is not a positive duration",
						"such as 500ms"),
				wrong("no window", "thresholds: 10", "thresholds", "10", "has no window", "<threshold>/<window>"),
				wrong("second of two", "thresholds: 5/1s, 10/x", "thresholds", "10/x", "has an unknown unit", "1d"),
				wrong("trailing comma", "thresholds: '5/1s,'", "thresholds", "", "has no window",
						"<threshold>/<window>"),
				wrong("second of a list of both forms", "thresholds: [{threshold: 5, window: 1s}, 10/x]",
						"thresholds[1]", "10/x", "has an unknown unit", "1d"),
				wrong("CONF-017 no thresholds", "thresholds: []", "thresholds", "", "is empty", "Give it a value"),
				wrong("thresholds left out after a comment sign", "thresholds: #5/1m", "thresholds", "", "is empty",
						"a # begins a comment"),
				wrong("long form without window", "thresholds: [{threshold: 5}]", "thresholds[0].window", "",
						"is missing", "both threshold and window"),
				wrong("long form without threshold", "thresholds: [{window: 1s}]", "thresholds[0].threshold", "",
						"is missing", "both threshold and window"),
				wrong("CONF-018 two thresholds of one window", "thresholds: 10/1s, 20/1s", "thresholds", "20/1s",
						"repeats the window 1s", "one threshold per window"),
				wrong("one window in two spellings", "thresholds: 10/60s, 20/minute", "thresholds", "20/1m",
						"repeats the window 1m", "one threshold per window"),
				wrong("CONF-020 forty windows", "thresholds: " + manyThresholds(40), "thresholds",
						"[" + manyThresholds(40), "has 40 windows", "Use 1 to 10 windows"));
	}

	static Stream<Wrong> paths() {
		String variable = "\"/api/products/{id:%s}\"";
		return Stream.of(
				wrong("CONF-024 no leading slash", "paths: api/products/*", "paths", "api/products/*",
						"does not start with a slash", "Write /api/products/*"),
				wrong("regular expression", "paths: '^(/login|/api/auth/login).*'", "paths",
						"^(/login|/api/auth/login).*", "looks like a regular expression",
						"such as /login, /api/auth/login/**"),
				wrong("second path without slash", "paths: [/a, b]", "paths[1]", "b", "does not start with a slash",
						"Write /b"),
				wrong("second path of one text without slash", "paths: /a, b", "paths", "b",
						"does not start with a slash", "Write /b"),
				wrong("CONF-026 broken regex", "paths: " + variable.formatted("["), "paths", "/api/products/{id:[}",
						"has a regular expression", "Use a character class"),
				wrong("CONF-027 capture group", "paths: " + variable.formatted("(a+)+$"), "paths",
						"/api/products/{id:(a+)+$}", "that a client could make slow or that can never match",
						"one bounded quantifier"),
				wrong("CONF-028 exponential regex", "paths: " + variable.formatted("(?:x+x+)+y"), "paths",
						"/api/products/{id:(?:x+x+)+y}", "that a client could make slow", "one bounded quantifier"),
				wrong("CONF-029 recursive regex", "paths: " + variable.formatted("(?:a|b)*"), "paths",
						"/api/products/{id:(?:a|b)*}", "that a client could make slow", "one bounded quantifier"),
				wrong("unbounded quantifier", "paths: " + variable.formatted("[0-9]+"), "paths",
						"/api/products/{id:[0-9]+}", "has a regular expression", "{id:[0-9]{1,9}}"),
				wrong("optional digits", "paths: " + variable.formatted("[0-9]?"), "paths", "/api/products/{id:[0-9]?}",
						"has a regular expression", "{id:[0-9]{1,9}}"),
				wrong("two quantifiers", "paths: " + variable.formatted("[0-9]{1,3}[a-z]{1,3}"), "paths",
						"/api/products/{id:[0-9]{1,3}[a-z]{1,3}}", "has a regular expression", "at most one"),
				wrong("quantifier that can never hold", "paths: " + variable.formatted("[0-9]{9,1}"), "paths",
						"/api/products/{id:[0-9]{9,1}}", "can never match", "Use a character class"),
				wrong("range that can never hold", "paths: " + variable.formatted("[z-a]"), "paths",
						"/api/products/{id:[z-a]}", "can never match", "Use a character class"),
				wrong("CONF-030 blank at the end", "paths: \"/api/products/* \"", "paths", "/api/products/* ",
						"contains a blank", "Remove it"),
				wrong("no-break space", "paths: \"/api\\u00a0products\"", "paths", "/api\u00a0products",
						"contains a blank", "Remove it"),
				wrong("zero-width space", "paths: \"/api\\u200bproducts\"", "paths", "/api\u200bproducts",
						"contains a blank", "Remove it"),
				wrong("CONF-031 query", "paths: \"/api/products/*?x=1\"", "paths", "/api/products/*?x=1",
						"contains '?'", "without their query"),
				wrong("CONF-032 percent sign", "paths: \"/api/products/%31\"", "paths", "/api/products/%31",
						"contains '%'", "Write the decoded character"),
				wrong("path parameter", "paths: \"/api;v=1/products\"", "paths", "/api;v=1/products", "contains ';'",
						"without their parameters"),
				wrong("empty segment", "paths: ${nowhere:/api/}/products", "paths", "/api//products",
						"has an empty segment", "Remove a slash"),
				wrong("brace not closed", "paths: \"/api/{id\"", "paths", "/api/{id", "has unbalanced braces",
						"Close every {"),
				wrong("brace not opened", "paths: \"/api/id}\"", "paths", "/api/id}", "has unbalanced braces",
						"Close every {"),
				wrong("no path", "paths: []", "paths", "", "is empty", "Give it a value"),
				wrong("empty path", "paths: [/a, '']", "paths[1]", "", "is empty", "Give it a value"),
				wrong("placeholder without value", "paths: /v1/${nowhere}/x", "paths", "/v1/${nowhere}/x",
						"has a placeholder that cannot be resolved", "${name:default}"));
	}

	static Stream<Wrong> methodsAndKeys() {
		return Stream.of(
				wrong("two methods in one", "methods: [GET POST]", "methods[0]", "GET POST", "is not an HTTP method",
						"Write names such as GET, POST or QUERY"),
				wrong("CONF-023 no method", "methods: []", "methods", "", "is empty", "Give it a value"),
				wrong("empty methods", "methods:", "methods", "", "is empty", "Give it a value"),
				wrong("any method by asterisk", "methods: '*'", "methods", "*", "is not an HTTP method",
						"leave methods out to cover all"),
				wrong("CONF-039 header key without name", "key: header", "key", "header", "has no name", "header:NAME"),
				wrong("header key with an empty name", "key: 'header:'", "key", "header:", "has no name",
						"header:NAME"),
				wrong("name where there is none", "key: ip:1", "key", "ip:1", "takes no name", "Write ip"),
				wrong("CONF-040 illegal header name", "key: header:X-Tenant Id", "key", "header:X-Tenant Id",
						"has a name that can never occur", "header:NAME"),
				wrong("key as a map", "key: {type: header}", "key.type", "header", "belongs to no key",
						"Write key as one text or as a list of texts, such as header:X-Api-Key"),
				wrong("unknown key source", "key: adress", "key", "adress", "is no key source", "Write ip, principal"),
				wrong("CONF-045 key as expression", "key: \"#{T(java.lang.Runtime).getRuntime()}\"", "key",
						"#{T(java.lang.Runtime).getRuntime()}", "is no key source", "Write ip, principal"),
				wrong("empty key", "key:", "key", "", "is empty", "Give it a value"),
				wrong("one source twice", "key: ip, ip", "key", "ip, ip", "names a source twice", "once"),
				wrong("global and another", "key: [global, ip]", "key", "global, ip", "mixes global",
						"Use global alone"),
				wrong("six sources", "key: ip, principal, session, header:a, header:b, header:c", "key",
						"ip, principal, session, header:a, header:b, header:c", "has 6 sources", "1 to 5"),
				wrong("variable that the path lacks", "key: path:id", "key", "path:id",
						"names a variable that the path /login does not have", "Write {id} in every path"),
				wrong("variable that one path lacks", """
						key: path:id
						paths: ["/a/{id}", /b]""", "key", "path:id", "names a variable that the path /b does not have",
						"Write {id} in every path"),
				wrong("illegal variable", "key: path:a b", "key", "path:a b", "has a name that can never occur",
						"path:VARIABLE"),
				wrong("principal before security", """
						key: principal
						stage: before-security""", "stage", "before-security", "does not go with key principal",
						"Use stage after-security"),
				wrong("claim before security", """
						key: claim:sub
						stage: before-security""", "stage", "before-security", "does not go with key claim:sub",
						"Use stage after-security"));
	}

	static Stream<Wrong> others() {
		return Stream.of(
				wrong("CONF-036 misspelt property", "windws: 10/1s", "windws", "10/1s",
						"belongs to no key of this version", "The keys here are enabled, methods, paths"),
				wrong("misspelt property with a near one", "treshold: 10/1s", "treshold", "10/1s", "belongs to no key",
						"Did you mean thresholds?"),
				wrong("misspelt part of a threshold", "thresholds: [{threshold: 5, window: 1s, windw: 2s}]",
						"thresholds[0].windw", "2s", "belongs to no key", "Did you mean window?"),
				wrong("CONF-038 misspelt boolean", "enabled: flase", "enabled", "flase", "is neither true nor false",
						"Write true or false"),
				wrong("empty boolean", "count-rejected:", "count-rejected", "", "is empty", "Give it a value"),
				wrong("unknown warning", "acknowledge: [log-memory, fail-open]", "acknowledge[1]", "fail-open",
						"is not known", "Use pointless-threshold, log-memory, client-chosen-plan,"),
				wrong("misspelt policy", "on-store-failure: alow", "on-store-failure", "alow", "is not known",
						"Use local, allow, deny"),
				wrong("misspelt on-missing-key", "on-missing-key: denny", "on-missing-key", "denny", "is not known",
						"Use ip, shared, deny, skip"),
				wrong("misspelt stage", "stage: before", "stage", "before", "is not known",
						"Use auto, before-security, after-security"),
				wrong("unknown algorithm", "algorithm: sliding", "algorithm", "sliding", "is not known",
						"Use sliding-window-log, sliding-window-counter, fixed-window, token-bucket, leaky-bucket"),
				wrong("condition that is a comment", "when: #method == 'GET'", "when", "", "is empty",
						"a # begins a comment"));
	}

	@ParameterizedTest
	@MethodSource({ "thresholds", "paths", "methodsAndKeys", "others" })
	void aWrongSettingStopsTheStartWithItsReason(Wrong wrong) {
		assertStopsTheStart(wrong);
	}

	static void assertStopsTheStart(Wrong wrong) {
		List<Problem> problems = TestSources.yaml(wrong.yaml()).problems();
		assertThat(problems).hasSize(1);
		Problem problem = problems.get(0);
		assertThat(problem.property()).isEqualTo("ratelimit.rules.login." + wrong.property());
		assertThat(problem.value()).startsWith(wrong.value().substring(0, Math.min(200, wrong.value().length())));
		assertThat(problem.value().isEmpty()).isEqualTo(wrong.value().isEmpty());
		assertThat(problem.reason()).contains(wrong.reason());
		assertThat(problem.cure()).contains(wrong.cure());
		assertThat(problem.origin())
			.hasValueSatisfying((origin) -> assertThat(origin.toString()).contains("application-1.yml"));
	}

	private static String manyThresholds(int count) {
		return IntStream.rangeClosed(1, count).mapToObj((i) -> i + "/" + i + "s").collect(Collectors.joining(", "));
	}

	static Wrong wrong(String name, String lines, String property, String value, String reason, String cure) {
		return new Wrong(name, lines, property, value, reason, cure);
	}

	/**
	 * A rule that is right but for one setting.
	 *
	 * @param name what is wrong
	 * @param lines the lines of the rule that matter
	 * @param property the property that must be named, after the rule
	 * @param value the value that must be named
	 * @param reason words of the reason
	 * @param cure words of the cure
	 */
	record Wrong(String name, String lines, String property, String value, String reason, String cure) {

		String yaml() {
			StringBuilder yaml = new StringBuilder("ratelimit:\n  rules:\n    login:\n");
			this.lines.lines().forEach((line) -> yaml.append("      ").append(line).append('\n'));
			if (!yaml.toString().contains("      paths:")) {
				yaml.append("      paths: /login\n");
			}
			if (!yaml.toString().contains("      thresholds:")) {
				yaml.append("      thresholds: 5/1m\n");
			}
			return yaml.toString();
		}

		@Override
		public String toString() {
			return this.name + " {" + this.lines.lines().collect(Collectors.joining("; ")) + "}";
		}

	}

}
