package dev.ratelimit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each claim in docs/articles.md is named by a test of every class it points at.
 */
class ArticlesTests {

	private static final Pattern ROW = Pattern.compile("(?m)^\\| ([0-9E][.0-9]*) \\| .* \\| (.*) \\|$");

	private static final Pattern CLASS = Pattern.compile("`(\\w+)`");

	static Stream<Arguments> claims() throws IOException {
		Matcher row = ROW.matcher(Files.readString(Path.of("../docs/articles.md")));
		return row.results()
			.flatMap((match) -> CLASS.matcher(match.group(2))
				.results()
				.map((type) -> Arguments.of(match.group(1), type.group(1))));
	}

	@ParameterizedTest(name = "{0} in {1}")
	@MethodSource("claims")
	void claimIsNamedByTheTest(String claim, String type) throws IOException {
		Pattern named = Pattern.compile("@DisplayName\\(\\s*\"[^\"]*(?<![.0-9])" + Pattern.quote(claim) + "(?![.0-9])");
		assertThat(named.matcher(Files.readString(source(type))).find())
			.as("a @DisplayName with " + claim + " in " + type)
			.isTrue();
	}

	private static Path source(String type) throws IOException {
		for (String tests : List.of("ratelimit-starter/src/test", "ratelimit-starter-test/src/contract",
				"ratelimit-sample-app/src/test")) {
			try (Stream<Path> files = Files.walk(Path.of("..", tests, "java"))) {
				List<Path> found = files.filter((file) -> file.endsWith(type + ".java")).toList();
				if (!found.isEmpty()) {
					return found.get(0);
				}
			}
		}
		throw new IllegalStateException("There is no test class " + type);
	}

}
