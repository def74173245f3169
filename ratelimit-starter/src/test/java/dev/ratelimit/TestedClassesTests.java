package dev.ratelimit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A contributor finds the test of a class: a class with logic has {@code <Name>Tests}
 * beside it, or its Javadoc names the test that fails when the class is broken.
 */
class TestedClassesTests {

	private static final Path SOURCES = Path.of("src/main/java/dev/ratelimit");

	private static final Path TESTS = Path.of("src/test/java/dev/ratelimit");

	private static final Pattern COMMENTS_AND_TEXTS = Pattern
		.compile("(?s)/\\*.*?\\*/|//[^\n]*|\"\"\".*?\"\"\"|\"(?:\\\\.|[^\"\\\\])*\"|'(?:\\\\.|[^'\\\\])+'");

	/** What branches. A question mark that is no wildcard is a conditional expression. */
	private static final Pattern LOGIC = Pattern
		.compile("\\b(?:if|for|while|switch|catch)\\b|\\?(?!\\s*(?:[,>]|extends\\b|super\\b))");

	private static final Pattern DECLARATION = Pattern.compile("(?m)^(?:[a-z-]+ )*(?:class|record|enum|interface) ");

	/** A sentence in any other form names no test. */
	private static final Pattern TESTED_BY = Pattern.compile("Tested by (?:\\{@code (\\w+(?:Tests|Contract))}\\.)?");

	@ParameterizedTest
	@ValueSource(strings = { "limiter", "store", "web" })
	void everyClassWithLogicHasATestOrNamesOne(String folder) throws IOException {
		assertThat(types(folder).filter((type) -> hasLogic(read(type)))
			.filter((type) -> !Files.exists(TESTS.resolve(SOURCES.relativize(testsOf(type)))))
			.filter((type) -> testedBy(type).findAny().isEmpty())).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "limiter", "store", "web" })
	void everyTestThatIsNamedExists(String folder) throws IOException {
		Set<String> classes = DocumentsTests.classes();
		assertThat(types(folder).flatMap((type) -> testedBy(type).filter((test) -> !classes.contains(test))
			.map((test) -> type.getFileName() + ": " + test))).isEmpty();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "true | if (open) {", "true | return open ? 1 : 0;", "true | catch (A ex) {",
					"false | Map<?, ? extends A> if_open;", "false | /** For what if (open). */", "false | // for (;;)",
					"false | warn(\"if (open)\", '?');" })
	void logicIsCodeThatBranches(boolean logic, String code) {
		assertThat(hasLogic(code)).isEqualTo(logic);
	}

	private static boolean hasLogic(String source) {
		return LOGIC.matcher(COMMENTS_AND_TEXTS.matcher(source).replaceAll("")).find();
	}

	private static Path testsOf(Path type) {
		return type.resolveSibling(type.getFileName().toString().replace(".java", "Tests.java"));
	}

	/** The tests that the Javadoc of a type names. */
	private static Stream<String> testedBy(Path type) {
		String source = read(type);
		Matcher declaration = DECLARATION.matcher(source);
		assertThat(declaration.find()).as(type.toString()).isTrue();
		String javadoc = source.substring(0, declaration.start()).replaceAll("\\s+(?:\\* )?", " ");
		return TESTED_BY.matcher(javadoc).results().map((test) -> String.valueOf(test.group(1)));
	}

	private static Stream<Path> types(String folder) throws IOException {
		try (Stream<Path> files = Files.walk(SOURCES.resolve(folder))) {
			return files.filter((file) -> file.toString().endsWith(".java"))
				.filter((file) -> !file.endsWith("package-info.java"))
				.toList()
				.stream();
		}
	}

	private static String read(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
