package dev.ratelimit.web;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.IntStream;

import dev.ratelimit.fixture.Beans;
import dev.ratelimit.fixture.Heap;
import dev.ratelimit.limiter.CompiledRules;
import dev.ratelimit.limiter.SubjectEncoder;
import dev.ratelimit.limiter.refusal.NamedRules;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.web.RouteTable.Match;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class RouteTableTests {

	private static final PathPatternParser PARSER = new PathPatternParser();

	private static final ActuatorPaths ACTUATOR = new ActuatorPaths("/actuator",
			List.of("/actuator", "/actuator/health/**", "/livez/**"));

	private static RLConfig rule(String id, String... paths) {
		return RLConfig.builder(id).paths(paths).thresholds("1/s").build();
	}

	private static RouteTable table(PathPatternParser parser, List<String> exempt, ActuatorPaths actuator,
			RLConfig... rules) {
		return new RouteTable(new CompiledRules(new RuleSet(List.of(rules)), 64, NamedRules.NONE), (id) -> false,
				parser, exempt, actuator, Beans.NONE, new SubjectEncoder(64, ""), System::nanoTime);
	}

	private static RouteTable table(RLConfig... rules) {
		return table(PARSER, List.of(), ACTUATOR, rules);
	}

	private static List<String> matches(RouteTable table, String path) {
		return matches(table, "GET", path);
	}

	private static List<String> matches(RouteTable table, String method, String path) {
		List<Match> matches = table.match(PathContainer.parsePath(path), method);
		return matches.stream().map((match) -> match.route().rule().id()).toList();
	}

	@Test
	@DisplayName("0.12 A star is one segment")
	void aStarIsOneSegment() {
		RouteTable table = table(rule("product", "/product/*"));
		assertThat(matches(table, "/product/1")).containsExactly("product");
		assertThat(matches(table, "/product/1/x")).isEmpty();
		assertThat(matches(table, "/product")).isEmpty();
	}

	/** Written plainly, it would look like a regular expression. */
	@Test
	void aClassOfOneCharacterIsThatCharacter() {
		assertThat(matches(table(rule("batch", "/{dollar:[$]}batch")), "/$batch")).containsExactly("batch");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/api/products/1", "/api/products;x=1/1", "/api;v=2/products/1",
			"/api/products/1;jsessionid=AAAA", "/api/products/1;a=b;c=d,e", "/api/%70roducts/1", "/%61pi/products/1",
			"/api/products/1.json", "/api/products/1%3fx=1", "/api/products/1%23", "/api/products/%25%32%66",
			"/api/products/1%0a", "/api/products/%E2%80%8B1", "/api/products/%2A", "/api/products/..",
			"/api/products/...", "/api/products/%2e", "/api/products/%2e%2e" })
	void everySpellingThatReachesTheHandlerIsCovered(String path) {
		RouteTable table = table(rule("products", "/api/products/{id}"), rule("other", "/other/{id}"));
		assertThat(matches(table, path)).containsExactly("products");
	}

	@ParameterizedTest
	@CsvSource({ "/", "//", "//x", "/;a=1", "/;a=1/x" })
	void oddPathsAreCoveredByTheRuleForEverything(String path) {
		assertThat(matches(table(rule("all", "/**"), rule("x", "/x")), path)).containsExactly("all");
	}

	@Test
	void allRulesThatMatchApplyEachOnce() {
		RouteTable table = table(rule("all", "/**"), rule("api", "/api/**", "/api/*", "/{x}/{y}"),
				rule("one", "/api/one"));
		assertThat(matches(table, "/api/one")).containsExactly("all", "api", "one");
		assertThat(matches(table, "/api/two")).containsExactly("all", "api");
		assertThat(matches(table, "/other/two")).containsExactly("all", "api");
	}

	/** Comparing each pattern with all others would take four times the work. */
	@Test
	void twiceAsManyRulesTakeTwiceTheWork() {
		assertThat((double) bytesOfIndex(800) / bytesOfIndex(400)).isLessThan(2.5);
	}

	private static long bytesOfIndex(int number) {
		List<PathPattern> patterns = IntStream.range(0, number)
			.mapToObj((i) -> PARSER.parse("/segment-" + i + "/**"))
			.toList();
		return Heap.bytesOfOne(() -> new PatternIndex<>(patterns, Function.identity(), true));
	}

	@Test
	@DisplayName("0.11 A rule for one method leaves the others alone")
	void aRuleForOneMethodLeavesTheOthersAlone() {
		RouteTable table = table(RLConfig.builder("get").methods("GET").paths("/x").thresholds("1/s").build());
		assertThat(matches(table, "GET", "/x")).containsExactly("get");
		assertThat(matches(table, "POST", "/x")).isEmpty();
		assertThat(matches(table, "PROPFIND", "/x")).isEmpty();
		assertThat(matches(table, "QUERY", "/x")).isEmpty();
	}

	/** No client needs it, and a handler for all methods would run. */
	@Test
	void aMethodThatIsNeitherRegisteredNorListedIsCoveredByEveryRule() {
		RouteTable table = table(RLConfig.builder("get").methods("GET").paths("/x").thresholds("1/s").build(),
				RLConfig.builder("own").methods("OWN").paths("/y").thresholds("1/s").build());
		assertThat(matches(table, "get", "/x")).containsExactly("get");
		assertThat(matches(table, "FOO", "/x")).containsExactly("get");
		assertThat(matches(table, "FOO", "/y")).containsExactly("own");
		assertThat(matches(table, "OWN", "/x")).isEmpty();
		assertThat(matches(table, "OWN", "/y")).containsExactly("own");
	}

	@Test
	void getCoversHeadBecauseHeadRunsTheSameHandler() {
		RouteTable table = table(RLConfig.builder("get").methods("GET").paths("/x").thresholds("1/s").build(),
				RLConfig.builder("post").methods("POST").paths("/x").thresholds("1/s").build());
		assertThat(matches(table, "HEAD", "/x")).containsExactly("get");
	}

	@Test
	@DisplayName("0.10 A disabled rule matches nothing")
	void aDisabledRuleMatchesNothing() {
		RouteTable table = table(RLConfig.builder("off").enabled(false).paths("/x").thresholds("1/s").build());
		assertThat(matches(table, "/x")).isEmpty();
	}

	@Test
	void aRuleWithoutPathsMatchesNothing() {
		assertThat(matches(table(RLConfig.builder("api").thresholds("1/s").build()), "/x")).isEmpty();
	}

	@Test
	void actuatorIsLeftOutUnlessAPatternNamesAnEndpointOrItsBasePath() {
		RouteTable table = table(rule("all", "/**"), rule("first", "/{x}/**"), rule("health", "/actuator/health"),
				rule("both", "/**", "/actuator/**"), rule("probe", "/livez"), rule("begin", "/live*"));
		assertThat(matches(table, "/actuator/health")).containsExactly("health", "both");
		assertThat(matches(table, "/actuator")).containsExactly("both");
		assertThat(matches(table, "/actuator;x=1/health/x")).containsExactly("both");
		assertThat(matches(table, "/livez")).containsExactly("probe");
		assertThat(matches(table, "/livez/x")).isEmpty();
		assertThat(matches(table, "/actuator/info")).containsExactly("all", "first", "both");
		assertThat(matches(table, "/actuators")).containsExactly("all", "first", "both");
		for (String path : List.of("/actuator/health/../../x", "/actuator/health/%2e%2e/x", "/actuator/health//x")) {
			assertThat(matches(table, path)).as("leads elsewhere").containsExactly("all", "first", "both");
		}
	}

	@Test
	void whereActuatorIsOnAnotherPortItsPathIsLikeAnyOther() {
		RouteTable table = table(PARSER, List.of(), ActuatorPaths.NONE, rule("all", "/**"));
		assertThat(matches(table, "/actuator/health")).containsExactly("all");
	}

	@Test
	void exemptPathsAreNeverLimited() {
		RouteTable table = table(PARSER, List.of("/static/**", "/ping"), ACTUATOR, rule("all", "/**"));
		assertThat(matches(table, "/static/a/b")).isEmpty();
		assertThat(matches(table, "/ping")).isEmpty();
		assertThat(matches(table, "/ping/x")).containsExactly("all");
	}

	@Test
	void caseMattersExactlyWhereItMattersToMvc() {
		PathPatternParser insensitive = new PathPatternParser();
		insensitive.setCaseSensitive(false);
		RLConfig[] rules = { rule("login", "/Login"), rule("actuator", "/Actuator/**") };
		assertThat(matches(table(rules), "/LOGIN")).isEmpty();
		assertThat(matches(table(insensitive, List.of(), ACTUATOR, rules), "/LOGIN")).containsExactly("login");
		assertThat(matches(table(insensitive, List.of(), ACTUATOR, rules), "/ACTUATOR/info"))
			.containsExactly("actuator");
	}

	@ParameterizedTest
	@CsvSource({ "/i, /\u0130", "/\u03b1\u03c3, /\u0391\u03a3", "/k, /\u212a", "/\u00e9, /\u00c9" })
	void lettersWithOddLowerCasesAreFoundToo(String pattern, String path) {
		PathPatternParser insensitive = new PathPatternParser();
		insensitive.setCaseSensitive(false);
		assertThat(insensitive.parse(pattern).matches(PathContainer.parsePath(path))).isTrue();
		assertThat(matches(table(insensitive, List.of(), ActuatorPaths.NONE, rule("r", pattern)), path))
			.containsExactly("r");
	}

	@Test
	@DisplayName("1.21 The index finds what trying every pattern finds")
	void theIndexFindsWhatTryingEveryPatternFinds() {
		SplittableRandom random = new SplittableRandom(11);
		int matched = 0;
		for (int i = 0; i < 1500; i++) {
			PathPatternParser parser = new PathPatternParser();
			parser.setCaseSensitive(random.nextBoolean());
			RLConfig[] rules = new RLConfig[1 + random.nextInt(6)];
			for (int r = 0; r < rules.length; r++) {
				String[] patterns = new String[1 + random.nextInt(3)];
				Arrays.setAll(patterns, (index) -> randomPattern(random));
				rules[r] = rule("rule-" + r, patterns);
			}
			RouteTable table = table(parser, List.of(), ActuatorPaths.NONE, rules);
			for (int p = 0; p < 20; p++) {
				PathContainer path = PathContainer.parsePath(randomPath(random));
				Set<String> expected = new LinkedHashSet<>();
				for (RLConfig rule : rules) {
					if (rule.requests().paths().stream().anyMatch((pattern) -> parser.parse(pattern).matches(path))) {
						expected.add(rule.id());
					}
				}
				assertThat(matches(table, path.value())).as("%s over %s", path, List.of(rules))
					.containsExactlyElementsOf(expected);
				matched += expected.size();
			}
		}
		assertThat(matched).isGreaterThan(5_000);
	}

	private static String randomPattern(SplittableRandom random) {
		List<String> segments = List.of("a", "b", "A", "ab", "i", "\u0130", "\u00e9", "*", "a*", "{x}", "{x:[ab]{1,2}}",
				"a{x}", "{x}-{y}", "");
		StringBuilder pattern = new StringBuilder();
		for (int i = random.nextInt(4); i >= 0; i--) {
			pattern.append('/')
				.append(segments.get(random.nextInt(segments.size())).replace("x", "x" + i).replace("y", "y" + i));
		}
		pattern.append(List.of("", "", "/**", "/{*rest}").get(random.nextInt(4)));
		// Rules refuse empty segments inside a path.
		return pattern.toString().replaceAll("//+", "/");
	}

	private static String randomPath(SplittableRandom random) {
		List<String> segments = List.of("a", "b", "A", "B", "ab", "i", "%69", "I", "\u0130", "\u00c9", "%61", "a;x=1",
				";x=1", "", "a-b", "..", "%2f", "ax");
		List<String> path = new ArrayList<>();
		for (int i = random.nextInt(4); i >= 0; i--) {
			path.add(segments.get(random.nextInt(segments.size())));
		}
		return "/" + String.join("/", path);
	}

	@Test
	void aMatchHasThePatternSoThatItsVariablesCanBeRead() {
		RouteTable table = table(rule("r", "/a/{id}", "/b/{id}/**"));
		PathContainer path = PathContainer.parsePath("/b/x%20y;v=1/z");
		Match match = table.match(path, "GET").get(0);
		assertThat(match.pattern().matchAndExtract(path).getUriVariables()).isEqualTo(Map.of("id", "x y"));
	}

	@Test
	void aPathThatIsNoPatternIsRefusedWithRuleAndCure() {
		assertThatExceptionOfType(InvalidRuleException.class).isThrownBy(() -> table(rule("r", "/{a}/{a}")))
			.withMessageContaining("rules.r.paths '/{a}/{a}'")
			.withMessageContaining("PathPattern");
	}

}
