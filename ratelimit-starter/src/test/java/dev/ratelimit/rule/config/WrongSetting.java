package dev.ratelimit.rule.config;

import dev.ratelimit.spi.Problem;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.ratelimit.fixture.Golden;

/**
 * A setting that stops the start: a paragraph of {@code golden/wrong-settings.txt}, whose
 * head describes the format.
 *
 * @param name what is wrong
 * @param yaml the lines of a rule, or a whole file
 */
record WrongSetting(String name, String yaml) {

	static final String FILE = "wrong-settings.txt";

	private static final String INDENT = " ".repeat(4);

	static Stream<WrongSetting> all() {
		return paragraphs().map(WrongSetting::of).flatMap(Optional::stream);
	}

	/** With the head of the file and of each section. */
	static Stream<String> paragraphs() {
		return Arrays.stream(Golden.read(FILE).strip().split("\n\n", -1));
	}

	/** Without the errors; empty for a head. */
	static Optional<WrongSetting> of(String paragraph) {
		String yaml = paragraph.lines()
			.filter((line) -> line.startsWith(INDENT))
			.map((line) -> line.substring(INDENT.length()))
			.collect(Collectors.joining("\n"));
		return Optional.of(new WrongSetting(paragraph.lines().findFirst().orElseThrow(), yaml))
			.filter((setting) -> !yaml.isEmpty());
	}

	/**
	 * A whole file with a rule: its paths and its thresholds are those given, or right.
	 */
	static String file(String rule) {
		String paths = ("\n" + rule).contains("\npaths:") ? "" : "paths: /login\n";
		String thresholds = ("\n" + rule).contains("\nthresholds:") ? "" : "thresholds: 5/1m\n";
		return "ratelimit:\n  rules:\n    login:\n" + (rule + "\n" + paths + thresholds).indent(6);
	}

	String file() {
		return this.yaml.matches("(?s)\"?ratelimit.*") ? this.yaml : file(this.yaml);
	}

	List<Problem> problems() {
		return TestSources.yaml(file()).problems();
	}

	String withErrors() {
		return problems().stream()
			.map(Problem::toString)
			.collect(Collectors.joining("\n", this.name + "\n" + this.yaml.indent(INDENT.length()), ""));
	}

}
