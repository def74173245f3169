package dev.ratelimit.integration.routes;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each row of docs/routes.md names tests that exist.
 */
class RoutesDocumentTests {

	private static final Pattern TEST = Pattern.compile("`(\\w+(?:Tests|Proof))\\.(\\w+)`");

	static List<String> rows() throws IOException {
		try (Stream<String> lines = Files.lines(Path.of("../docs/routes.md"))) {
			return lines.filter((line) -> line.startsWith("| "))
				.filter((line) -> !line.endsWith("| shown by |"))
				.toList();
		}
	}

	@ParameterizedTest
	@MethodSource("rows")
	void namesItsTests(String row) {
		assertThat(TEST.matcher(row).results()).isNotEmpty().allSatisfy((test) -> {
			Class<?> type = Class.forName(nameOf(test.group(1)));
			assertThat(Arrays.stream(type.getDeclaredMethods()))
				.anyMatch((method) -> method.getName().equals(test.group(2)));
		});
	}

	private static String nameOf(String simpleName) throws IOException {
		Path sources = Path.of("src/test/java");
		try (Stream<Path> files = Files.walk(sources.resolve("dev/ratelimit/integration"))) {
			Path file = files.filter((one) -> one.endsWith(simpleName + ".java")).findAny().orElseThrow();
			return sources.relativize(file).toString().replace(".java", "").replace(File.separatorChar, '.');
		}
	}

	@Test
	void hasRows() throws IOException {
		assertThat(rows()).hasSizeGreaterThan(15);
	}

}
