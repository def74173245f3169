package dev.ratelimit;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Everything that the documents refer to exists.
 */
class DocumentsTests {

	private static final Path ROOT = Path.of("..");

	private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]+)(?:#([^)\\s]+))?\\)");

	private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.+)$");

	private static final Pattern CLASS = Pattern.compile("`(\\w+(?:Tests|Proof|Contract))`");

	private static final Pattern ALERT = Pattern.compile("(?m)^ +- alert: (\\w+)$");

	private static final Pattern RUNBOOK = Pattern.compile("(?m)^ +runbook: docs/oncall\\.md#(\\w+)$");

	/** The name of an alert, when it fires, and the place of what to do then. */
	private static final Pattern ALERT_ROW = Pattern.compile("(?m)^\\| `(\\w+)` \\| [^|\n]+ \\| [^|\n]+ \\|$");

	private static final Pattern DECISION = Pattern.compile("[0-9]{4}-[a-z-]+\\.md");

	static Stream<Path> documents() throws IOException {
		try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"));
				Stream<Path> samples = Files.walk(ROOT.resolve("samples"), 2)) {
			List<Path> found = Stream.concat(docs, samples).filter((file) -> file.toString().endsWith(".md")).toList();
			return Stream.concat(
					Stream.of("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md").map(ROOT::resolve),
					found.stream());
		}
	}

	@ParameterizedTest
	@MethodSource("documents")
	void everyLinkHasATarget(Path document) throws IOException {
		for (Matcher link = LINK.matcher(Files.readString(document)); link.find();) {
			if (link.group(1).contains(":")) {
				continue;
			}
			Path target = document.resolveSibling(link.group(1)).normalize();
			assertThat(target).as("%s in %s", link.group(), document).exists();
			if (link.group(2) != null) {
				assertThat(anchors(target)).as("%s in %s", link.group(), document).contains(link.group(2));
			}
		}
	}

	@Test
	void theTestsOverHttpAreNamedAfterThePageThatTheyShow() throws IOException {
		try (Stream<Path> packages = Files.list(Path.of("src/test/java/dev/ratelimit/integration"))) {
			assertThat(packages.map((directory) -> directory.getFileName().toString())).isNotEmpty()
				.filteredOn((name) -> !name.equals("support"))
				.allSatisfy((name) -> assertThat(ROOT.resolve("docs/" + name + ".md")).exists());
		}
	}

	/** As GitHub derives them from headings. */
	private static Set<String> anchors(Path document) throws IOException {
		return HEADING.matcher(Files.readString(document))
			.results()
			.map((heading) -> heading.group(1).toLowerCase(Locale.ROOT).replaceAll("[^\\w\\- ]", "").replace(' ', '-'))
			.collect(Collectors.toSet());
	}

	@ParameterizedTest
	@MethodSource("documents")
	void everyTestThatIsNamedExists(Path document) throws IOException {
		Set<String> classes = classes();
		assertThat(CLASS.matcher(Files.readString(document)).results().map((name) -> name.group(1)))
			.as(document.toString())
			.allMatch(classes::contains);
	}

	/** Only below the sources: builds create and delete files beside them. */
	static Set<String> classes() throws IOException {
		Set<String> classes = new HashSet<>();
		for (Path folder : List.of(ROOT, ROOT.resolve("tools"), ROOT.resolve("samples"))) {
			try (DirectoryStream<Path> modules = Files.newDirectoryStream(folder,
					(module) -> Files.isDirectory(module.resolve("src")))) {
				for (Path module : modules) {
					try (Stream<Path> files = Files.walk(module.resolve("src"))) {
						files.map((file) -> file.getFileName().toString())
							.filter((name) -> name.endsWith(".java"))
							.forEach((name) -> classes.add(name.replace(".java", "")));
					}
				}
			}
		}
		return classes;
	}

	@Test
	void everyAlertIsExplained() throws IOException {
		Path monitoring = ROOT.resolve("docs/monitoring");
		assertThat(names(ALERT_ROW, monitoring.resolve("README.md")))
			.isEqualTo(names(ALERT, monitoring.resolve("alerts.yml")));
	}

	@Test
	void everyAlertHasARunbook() throws IOException {
		Path monitoring = ROOT.resolve("docs/monitoring");
		Set<String> anchors = anchors(ROOT.resolve("docs/oncall.md"));
		assertThat(names(RUNBOOK, monitoring.resolve("alerts.yml")))
			.isEqualTo(names(ALERT, monitoring.resolve("alerts.yml")).stream()
				.map((alert) -> alert.toLowerCase(Locale.ROOT))
				.collect(Collectors.toSet()))
			.allMatch(anchors::contains);
	}

	private static Set<String> names(Pattern pattern, Path file) throws IOException {
		return pattern.matcher(Files.readString(file))
			.results()
			.map((name) -> name.group(1))
			.collect(Collectors.toCollection(TreeSet::new));
	}

	@Test
	void everyDecisionIsListedAndHasItsParts() throws IOException {
		Path decisions = ROOT.resolve("docs/decisions");
		String list = Files.readString(decisions.resolve("README.md"));
		try (Stream<Path> files = Files.list(decisions)) {
			for (Path file : files.filter((name) -> DECISION.matcher(name.getFileName().toString()).matches())
				.toList()) {
				assertThat(list).contains("(" + file.getFileName() + ")");
				assertThat(Files.readString(file)).contains("\n## Context\n", "\n## Decision\n", "\n## Consequences\n");
			}
		}
	}

}
