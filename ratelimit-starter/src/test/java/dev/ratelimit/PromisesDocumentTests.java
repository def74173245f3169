package dev.ratelimit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every proof that docs/promises.md names exists.
 */
class PromisesDocumentTests {

	private static final Pattern CLASS = Pattern.compile("`(\\w+(?:Tests|Proof|(?<!Rate)Limiter))`");

	private static final Pattern GROUP = Pattern.compile("-Dproof=([a-z-]+)");

	private static List<String> named(Pattern pattern) throws IOException {
		return pattern.matcher(Files.readString(Path.of("../docs/promises.md")))
			.results()
			.map((result) -> result.group(1))
			.distinct()
			.toList();
	}

	@Test
	void everyClassExists() throws IOException {
		Set<String> classes = new HashSet<>();
		for (String module : List.of("ratelimit-starter", "ratelimit-starter-queue")) {
			try (Stream<Path> files = Files.walk(Path.of("..", module, "src/test/java"))) {
				files.map((file) -> file.getFileName().toString().replace(".java", "")).forEach(classes::add);
			}
		}
		assertThat(named(CLASS)).isNotEmpty().allMatch(classes::contains);
	}

	@Test
	void everyGroupWasGreen() throws IOException {
		List<String> green = Files.readAllLines(Path.of("../docs/proofs.csv"));
		assertThat(named(GROUP)).isNotEmpty()
			.allSatisfy((group) -> assertThat(green).anyMatch((row) -> row.startsWith(group + ",")));
	}

	@Test
	void everyGroupCanBeSelected() throws IOException {
		Matcher groups = Pattern.compile("<proof\\.groups>(.*)</proof\\.groups>")
			.matcher(Files.readString(Path.of("../pom.xml")));
		assertThat(groups.find()).isTrue();
		assertThat(List.of(groups.group(1).split("\\|", -1))).containsAll(named(GROUP));
	}

}
