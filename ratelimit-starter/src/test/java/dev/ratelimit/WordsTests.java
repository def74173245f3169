package dev.ratelimit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The rule for prose in CONTRIBUTING, as far as words show it: the subject of a sentence
 * is the thing, and things do not speak or listen.
 */
class WordsTests {

	private static final Path ROOT = Path.of("..");

	private static final Pattern COMMENT = Pattern.compile("(?m)/\\*(?s:.*?)\\*/|(?<![:\"])//.*$|--.*$");

	private static final Pattern CODE = Pattern.compile("(?s)```.*?```|`[^`\n]*`");

	private static final Pattern PERSONS = Pattern.compile(
			"(?i)\\b(?:whoever|whomever|somebody|nobody|anybody|everybody|sighted|told|tells?(?! .{0,20}apart)|hears?|heard)\\b"
					+ "|\\bgives? back\\b|\\bgiven back\\b|\\b(?:he|him|his)\\b|(?<=\\. |^|\\* )Who (?!is )");

	@ParameterizedTest
	@CsvSource({ "ratelimit-starter/src/main/java, .java", "ratelimit-starter-test/src/main/java, .java",
			"ratelimit-starter-test/src/contract, .java", "ratelimit-starter/src/main/resources, .lua",
			"ratelimit-sample-app/src/main/java, .java", "ratelimit-starter/src/test/java, .java",
			"ratelimit-starter-test/src/test/java, .java", "ratelimit-sample-app/src/test/java, .java",
			"ratelimit-starter-memcached/src, .java", "ratelimit-starter-datacenters/src, .java",
			"ratelimit-starter-datacenters/src, .lua", "ratelimit-starter-queue/src, .java",
			"ratelimit-starter-queue/src, .lua", "ratelimit-starter-test/src/queue, .java",
			"ratelimit-starter/src/fixtures, .java", "tools, .java", "samples, .java" })
	void commentsSpeakOfThings(String folder, String ending) throws IOException {
		List<Path> files = files(folder, ending);
		assertThat(files).isNotEmpty();
		assertThat(files.stream()
			.flatMap((file) -> COMMENT.matcher(read(file))
				.results()
				.flatMap((comment) -> persons(file, comment.group()))))
			.isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "docs, .md", "samples, .md", "., README.md" })
	void documentsSpeakOfThings(String folder, String ending) throws IOException {
		List<Path> files = files(folder, ending);
		assertThat(files).isNotEmpty();
		assertThat(files.stream().flatMap((file) -> persons(file, CODE.matcher(read(file)).replaceAll("")))).isEmpty();
	}

	private static Stream<String> persons(Path file, String prose) {
		return PERSONS.matcher(prose).results().map((word) -> file.getFileName() + ": " + around(prose, word));
	}

	private static String around(String prose, MatchResult word) {
		return prose.substring(Math.max(0, word.start() - 30), Math.min(prose.length(), word.end() + 20));
	}

	private static List<Path> files(String folder, String ending) throws IOException {
		if (".".equals(folder)) {
			return List.of(ROOT.resolve(ending));
		}
		try (Stream<Path> files = Files.walk(ROOT.resolve(folder))) {
			return files.filter((file) -> file.toString().endsWith(ending)).toList();
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
