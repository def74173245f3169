package dev.ratelimit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * docs/articles.md lists every claim of the articles with its state, and each test that
 * it names exists and names the claim.
 */
class ArticlesTests {

	/** How many claims each of the five articles makes. */
	private static final int[] CLAIMS = { 28, 21, 14, 27, 12 };

	private static final Pattern ROW = Pattern.compile("(?m)^\\| ([0-4E][.0-9]*) \\| .* \\| ([a-z ]+) \\| (.*)\\|$");

	private static final Pattern TEST = Pattern.compile("`(\\w+)(?:#(\\w+))?`");

	private static final List<Path> TESTS = Stream
		.of("ratelimit-starter/src/test", "ratelimit-starter-test/src/contract", "ratelimit-sample-app/src/test",
				"ratelimit-starter-memcached/src/test", "ratelimit-starter-datacenters/src/test",
				"ratelimit-starter-queue/src/test", "tools/ratelimit-benchmarks/src/test")
		.map((directory) -> Path.of("..", directory, "java"))
		.toList();

	static List<Row> rows() throws IOException {
		return ROW.matcher(Files.readString(Path.of("../docs/articles.md")))
			.results()
			.map((row) -> new Row(row.group(1), row.group(2), row.group(3)))
			.toList();
	}

	@Test
	void everyClaimHasARow() throws IOException {
		Stream<String> claims = IntStream.range(0, CLAIMS.length)
			.boxed()
			.flatMap((article) -> IntStream.rangeClosed(1, CLAIMS[article]).mapToObj((claim) -> article + "." + claim));
		assertThat(rows().stream().map(Row::claim).filter((claim) -> !claim.startsWith("E")))
			.containsExactlyElementsOf(claims.toList());
	}

	@ParameterizedTest
	@MethodSource("rows")
	void theTestsOfARowNameItsClaim(Row row) throws IOException {
		assertThat(row.state()).isIn("works", "measured", "not built", "absent", "stated");
		List<MatchResult> tests = TEST.matcher(row.tests()).results().toList();
		assertThat(tests.isEmpty()).as("nothing shows it")
			.isEqualTo(Set.of("measured", "not built").contains(row.state()));
		for (MatchResult test : tests) {
			assertThat(source(test.group(1))).as(test.group())
				.containsPattern(displayName(row.claim(), test.group(1), test.group(2)));
		}
	}

	/** The annotation of a class or of one of its methods that has the claim's number. */
	private static String displayName(String claim, String type, String method) {
		String annotated = (method != null) ? "void " + method + "\\(" : "class " + type + "\\b";
		return "@DisplayName\\(\\s*\"[^\"]*(?<![.0-9])" + Pattern.quote(claim) + "(?![.0-9])(?:(?!\\R\\R)[\\s\\S])*?"
				+ annotated;
	}

	private static String source(String type) throws IOException {
		for (Path tests : TESTS) {
			try (Stream<Path> files = Files.walk(tests)) {
				Optional<Path> found = files.filter((file) -> file.endsWith(type + ".java")).findFirst();
				if (found.isPresent()) {
					return Files.readString(found.get());
				}
			}
		}
		throw new IllegalStateException("There is no test class " + type);
	}

	record Row(String claim, String state, String tests) {
	}

}
