package dev.ratelimit.limiter.refusal;

import java.util.List;
import java.util.stream.IntStream;

import dev.ratelimit.rule.RLConfig;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.statistics.Statistics;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPatternParser;

import static org.assertj.core.api.Assertions.assertThat;

class PathOverlapTests {

	private static RLConfig rule(String id, String path) {
		return RLConfig.builder(id).paths(path).thresholds("1/s").build();
	}

	private static boolean mayMeet(String one, String other) {
		boolean meet = new PathOverlap(List.of(rule("b", other))).meetsAnother(rule("a", one));
		assertThat(new PathOverlap(List.of(rule("a", one))).meetsAnother(rule("b", other))).as("%s and %s", other, one)
			.isEqualTo(meet);
		return meet;
	}

	@ParameterizedTest
	@CsvSource({ "/a, /b", "/a, /a/b", "/a/*, /a", "/a/{x}/c, /a/b/d", "/a/{x}, /a/b/c", "/, /a", "/a/**, /b/**",
			"/a/{*rest}, /b", "/a-*/b, /c/d" })
	void pathsWithoutACommonRequestDoNotMeet(String one, String other) {
		assertThat(mayMeet(one, other)).isFalse();
	}

	@ParameterizedTest
	@CsvSource({ "/a, /a", "/a, /A", "/a/, /a", "/a/**, /a", "/a/{*rest}, /a", "/**, /", "/a/{x}, /a/b", "/a/*, /{x}/b",
			"/a/**/c, /a/d", "/{x:[a/b]}/c, /e/f", "/a*, /b" })
	void otherPathsMayMeet(String one, String other) {
		assertThat(mayMeet(one, other)).isTrue();
	}

	/** The matching of MVC is the reference. */
	@Property(tries = 5000, edgeCases = EdgeCasesMode.NONE)
	void whereverTwoPatternsMatchOnePathTheyMeet(@ForAll("patterns") String one, @ForAll("patterns") String other,
			@ForAll("paths") String path) {
		boolean both = matches(one, path) && matches(other, path);
		Statistics.collect(both);
		if (both) {
			assertThat(mayMeet(one, other)).as("%s and %s match %s", one, other, path).isTrue();
		}
	}

	@Property(tries = 1000, edgeCases = EdgeCasesMode.NONE)
	void aRuleMeetsAnotherIfItMeetsOneOfThem(@ForAll @Size(min = 2, max = 6) List<@From("patterns") String> patterns) {
		List<RLConfig> rules = IntStream.range(0, patterns.size())
			.mapToObj((i) -> rule("r" + i, patterns.get(i)))
			.toList();
		PathOverlap all = new PathOverlap(rules);
		for (RLConfig rule : rules) {
			boolean meets = rules.stream().anyMatch((other) -> new PathOverlap(List.of(other)).meetsAnother(rule));
			assertThat(all.meetsAnother(rule)).as("%s of %s", rule.requests().paths(), patterns).isEqualTo(meets);
			Statistics.collect(meets);
		}
	}

	private static boolean matches(String pattern, String path) {
		return new PathPatternParser().parse(pattern).matches(PathContainer.parsePath(path));
	}

	@Provide
	Arbitrary<String> patterns() {
		Arbitrary<List<String>> segments = Arbitraries.of("a", "b", "*", "{x%d}", "a*", "{y%d:[ab]}", "{z%d}b")
			.list()
			.ofMinSize(1)
			.ofMaxSize(3);
		return Combinators.combine(segments, Arbitraries.of("", "/", "/**", "/{*rest}"))
			.as((texts, end) -> numbered(texts) + end);
	}

	/** No two variables of a pattern have one name. */
	private static String numbered(List<String> segments) {
		StringBuilder path = new StringBuilder();
		for (int i = 0; i < segments.size(); i++) {
			path.append('/').append(segments.get(i).formatted(i));
		}
		return path.toString();
	}

	@Provide
	Arbitrary<String> paths() {
		return Arbitraries.of("a", "b", "ab", "bb")
			.list()
			.ofMinSize(1)
			.ofMaxSize(3)
			.map((segments) -> "/" + String.join("/", segments));
	}

}
