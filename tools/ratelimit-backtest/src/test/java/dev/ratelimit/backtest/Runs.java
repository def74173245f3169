package dev.ratelimit.backtest;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Runs the command on files in a directory of the test.
 */
final class Runs {

	private final ByteArrayOutputStream out = new ByteArrayOutputStream();

	private final ByteArrayOutputStream err = new ByteArrayOutputStream();

	private final Path directory;

	Runs(Path directory) {
		this.directory = directory;
	}

	/** Write a file of rules; the text is the content of {@code ratelimit:}. */
	Path rules(String name, String yaml) throws IOException {
		return Files.writeString(this.directory.resolve(name), "ratelimit:\n" + yaml.indent(2));
	}

	Path log(String name, List<String> lines) throws IOException {
		return Files.write(this.directory.resolve(name), lines);
	}

	/**
	 * The lines of requests in the seconds after midnight: {@code 4@0 2@5} is four
	 * requests in the first second and two in the sixth.
	 */
	static List<String> combined(String request, String counts) {
		List<String> lines = new ArrayList<>();
		for (String count : counts.split(" ", -1)) {
			int at = count.indexOf('@');
			int second = Integer.parseInt(count.substring(at + 1));
			for (int i = 0; i < Integer.parseInt(count.substring(0, at)); i++) {
				lines.add("192.0.2.1 - - [10/Oct/2026:00:%02d:%02d +0000] \"%s HTTP/1.1\" 200 5 \"-\" \"-\""
					.formatted(second / 60, second % 60, request));
			}
		}
		return lines;
	}

	int run(Object... args) {
		this.out.reset();
		this.err.reset();
		String[] texts = List.of(args).stream().map(Object::toString).toArray(String[]::new);
		PrintStream out = new PrintStream(this.out, true, StandardCharsets.UTF_8);
		PrintStream err = new PrintStream(this.err, true, StandardCharsets.UTF_8);
		return new Backtest(out, err, System::nanoTime).run(texts);
	}

	String out() {
		return this.out.toString(StandardCharsets.UTF_8);
	}

	String err() {
		return this.err.toString(StandardCharsets.UTF_8);
	}

	JsonNode json() {
		return JsonMapper.shared().readTree(out());
	}

	/** The result of a rule of the first file. */
	JsonNode rule(String id) {
		for (JsonNode rule : json().at("/ruleSets/0/rules")) {
			if (rule.get("id").asString().equals(id)) {
				return rule;
			}
		}
		throw new AssertionError("There is no rule " + id + " in " + out() + err());
	}

}
