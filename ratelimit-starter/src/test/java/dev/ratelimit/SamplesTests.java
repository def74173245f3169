package dev.ratelimit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The pages of the samples agree with their code. The proof {@code samples} runs them.
 */
class SamplesTests {

	private static final Path SAMPLES = Path.of("../samples");

	private static final Pattern CODE = Pattern.compile("(?s)```\\w+\n(.*?)```");

	private static final Pattern DEPENDENCY = Pattern
		.compile("<dependency>\\s*<groupId>(.*?)</groupId>\\s*<artifactId>(.*?)</artifactId>");

	static List<Path> samples() throws IOException {
		try (Stream<Path> folders = Files.list(SAMPLES)) {
			return folders.filter(Files::isDirectory).toList();
		}
	}

	@ParameterizedTest
	@MethodSource("samples")
	void aSampleIsListed(Path sample) {
		assertThat(read(SAMPLES.resolve("README.md"))).contains("(" + sample.getFileName() + "/README.md)");
	}

	@ParameterizedTest
	@MethodSource("samples")
	void theLinesOfItsPageAreThoseOfItsCode(Path sample) throws IOException {
		String page = read(sample.resolve("README.md"));
		assertThat(page.lines()).hasSizeBetween(8, 14);
		assertThat(sources(sample).lines()).containsAll(
				CODE.matcher(page).results().flatMap((block) -> block.group(1).lines()).collect(Collectors.toList()));
	}

	/** Gradle's plugin of Kotlin adds the library by itself. */
	@ParameterizedTest
	@MethodSource("samples")
	void itsDependenciesAreThoseOfThePageForGradle(Path sample) {
		String page = read(SAMPLES.resolve("README.md"));
		String project = read(sample.resolve("pom.xml"));
		assertThat(DEPENDENCY.matcher(project.substring(0, project.indexOf("<build>")))
			.results()
			.map((dependency) -> dependency.group(1) + ":" + dependency.group(2))
			.filter((dependency) -> !dependency.endsWith(":kotlin-stdlib"))).isNotEmpty()
			.allSatisfy((dependency) -> assertThat(page).contains("(\"" + dependency));
	}

	private static String sources(Path sample) throws IOException {
		try (Stream<Path> files = Files.walk(sample.resolve("src"))) {
			return files.filter(Files::isRegularFile).map(SamplesTests::read).collect(Collectors.joining());
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
