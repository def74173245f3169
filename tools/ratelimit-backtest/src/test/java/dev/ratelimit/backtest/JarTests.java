package dev.ratelimit.backtest;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The packaged command, as docs/backtest.md shows it. Runs after the packaging.
 */
class JarTests {

	private static final Pattern SHOWN = Pattern
		.compile("(?s)\\$ java -jar (tools/ratelimit-backtest/target/\\S+\\.jar) ([^\n]*)\n(.*?)```");

	private static final Path ROOT = Path.of("../..");

	@TempDir
	private Path directory;

	private static Matcher shown() throws IOException {
		Matcher shown = SHOWN.matcher(Files.readString(ROOT.resolve("docs/backtest.md")));
		assertThat(shown.find()).isTrue();
		return shown;
	}

	private Ended run(String... args) throws IOException, InterruptedException {
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		command.addAll(List.of("-jar", shown().group(1)));
		command.addAll(Arrays.asList(args));
		Path out = this.directory.resolve("out");
		Path err = this.directory.resolve("err");
		Process process = new ProcessBuilder(command).directory(ROOT.toFile())
			.redirectOutput(out.toFile())
			.redirectError(err.toFile())
			.start();
		return new Ended(process.waitFor(), Files.readString(out, StandardCharsets.UTF_8),
				Files.readString(err, StandardCharsets.UTF_8));
	}

	@Test
	void theDocumentationShowsTheActualOutput() throws Exception {
		Matcher shown = shown();
		Ended ended = run(shown.group(2).split(" "));
		assertThat(ended.err()).isEmpty();
		assertThat(ended.out()).isEqualTo(shown.group(3));
		assertThat(ended.status()).isZero();
	}

	@Test
	void aWrongOptionEndsWithTheHelp() throws Exception {
		Ended ended = run("--rules", "nope.yml", "--log", "README.md");
		assertThat(ended.status()).isEqualTo(2);
		assertThat(ended.out()).isEmpty();
		assertThat(ended.err()).startsWith("--rules nope.yml is not a file that can be read.").contains("Usage:");
	}

	private record Ended(int status, String out, String err) {
	}

}
