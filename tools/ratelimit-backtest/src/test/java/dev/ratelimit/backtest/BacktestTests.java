package dev.ratelimit.backtest;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class BacktestTests {

	private static final String ANY = "rules:\n  any: { paths: /**, thresholds: 3/10s }\n";

	@TempDir
	private Path directory;

	private Runs runs;

	@BeforeEach
	void newRuns() {
		this.runs = new Runs(this.directory);
	}

	@Test
	void helpIsShownOnRequest() {
		assertThat(this.runs.run("--help")).isZero();
		assertThat(this.runs.out()).startsWith("Usage: java -jar ratelimit-backtest.jar");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "--log LOG | --rules is missing.", "--rules RULES | --log is missing.",
					"--rules RULES --log nope | --log nope is not a file that can be read.",
					"--rules LOG --log LOG | does not end in .yml, .yaml or .properties.",
					"--rules RULES --log LOG --rules RULES | --rules is given twice.",
					"--rules RULES --log | --log needs a value.",
					"--rules RULES --log LOG --format clf | --format clf is none of combined, json.",
					"--rules RULES --log LOG --output=xml | --output xml is none of text, json.",
					"--rules RULES --log LOG --skip-untold=yes | --skip-untold takes no value.",
					"--rules RULES --log LOG --verbose | There is no option --verbose.",
					"access.log | There is no option access.log." })
	void aWrongOptionIsNamedWithTheHelp(String command, String error) throws IOException {
		String rules = this.runs.rules("rules.yml", ANY).toString();
		String log = this.runs.log("access.log", List.of()).toString();
		Object[] args = command.replace("RULES", rules).replace("LOG", log).split(" ");
		assertThat(this.runs.run(args)).isEqualTo(2);
		assertThat(this.runs.err()).contains(error).contains("Usage:");
		assertThat(this.runs.out()).isEmpty();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "any: { paths: /**, thresholds: 10 } | ratelimit.rules.any.thresholds '10' (",
			"any: { thresholds: 1/1s, metods: GET, paths: /** } | Did you mean",
			"any: { paths: '/**/x/**', thresholds: 1/1s } | is not a path pattern",
			"any: { paths: /**, when: 'nope()', thresholds: 1/1s } | ratelimit.rules.any.when", "any: [ | rules.yml",
			"any: { paths: '/{a}', thresholds: '${LIMIT}/1s' } | has a placeholder that cannot be resolved" })
	void aWrongRuleIsReportedAsAtTheStartOfAnApplication(String rule, String error) throws IOException {
		Path rules = this.runs.rules("rules.yml", "rules:\n  " + rule + "\n");
		assertThat(this.runs.run("--rules", rules, "--log", this.runs.log("log", List.of()))).isEqualTo(2);
		assertThat(this.runs.err()).contains("rules.yml:").contains(error);
	}

	@ParameterizedTest
	@ValueSource(strings = { "claim:sub", "session", "bean:who", "header:X-Api-Key", "cookie:shop" })
	void aKeyThatTheLogCannotContainIsRefusedOrLeftOut(String key) throws IOException {
		Path rules = this.runs.rules("rules.yml",
				ANY + "  other: { paths: /a, key: \"%s\", thresholds: 1/1m }\n".formatted(key));
		Path log = this.runs.log("log", Runs.combined("GET /a", "2@0"));
		assertThat(this.runs.run("--rules", rules, "--log", log)).isEqualTo(2);
		assertThat(this.runs.err()).contains("ratelimit.rules.other.key '" + key + "' is").contains("--skip-untold");
		assertThat(this.runs.run("--rules", rules, "--log", log, "--skip-untold")).isZero();
		assertThat(this.runs.out()).contains("! Left out: ratelimit.rules.other.key '" + key + "'")
			.doesNotContain("\nother");
	}

	@ParameterizedTest
	@ValueSource(strings = { "when: bean:b", "cost: bean:b", "plan-key: session, plans: { a: 1/1m }" })
	void aSettingThatNeedsTheRunningApplicationIsRefused(String setting) throws IOException {
		Path rules = this.runs.rules("rules.yml",
				"rules:\n  other: { paths: /a, %s, thresholds: 1/1m }\n".formatted(setting));
		assertThat(this.runs.run("--rules", rules, "--log", this.runs.log("log", List.of()))).isEqualTo(2);
		assertThat(this.runs.err()).contains("ratelimit.rules.other." + setting.substring(0, setting.indexOf(':')));
	}

	@Test
	void aFactThatNoLineContainsIsReported() throws IOException {
		Path rules = this.runs.rules("rules.yml", """
				rules:
				  a: { paths: /a, key: "header:X-Api-Key", thresholds: 1/1m }
				  b: { paths: /a, key: principal, when: "headers['X-B'] == null", thresholds: 1/1m }
				""");
		Path log = this.runs.log("log",
				List.of("{\"time\":1.5,\"ip\":\"::1\",\"request\":\"GET /a HTTP/1.1\",\"status\":200}"));
		assertThat(this.runs.run("--rules", rules, "--log", log, "--format", "json")).isZero();
		assertThat(this.runs.out()).contains("No line of the log tells the header X-Api-Key,")
			.contains("No line of the log tells the header X-B,")
			.contains("No line of the log tells a user,");
	}

	@Test
	void rulesThatCannotBeReplayedExactlyAreReported() throws IOException {
		Path rules = this.runs.rules("rules.yml", """
				rules:
				  fine: { paths: /a, thresholds: 5/2s }
				  leased: { paths: /a, mode: leased, thresholds: 1/1m }
				  queued: { paths: /a, on-limit: enqueue, thresholds: 1/1m }
				  named: { thresholds: 5/1m }
				  off: { enabled: false, paths: /a, thresholds: 1/1m }
				""");
		Path log = this.runs.log("log", Runs.combined("GET /a", "2@0"));
		assertThat(this.runs.run("--rules", rules, "--log", log)).isZero();
		assertThat(this.runs.out()).contains("rule 'fine' has a window below 10 seconds")
			.contains("Rule 'named' has no paths")
			.contains("Rule 'leased' is replayed as if its mode were strict")
			.contains("Rule 'queued' is replayed as if it refused what it enqueues")
			.containsPattern("(?m)^leased +1 +1 ")
			.doesNotContain("\nnamed")
			.doesNotContain("\noff");
	}

	@Test
	void eachOfManyClientsIsCountedByItself() throws IOException {
		Path rules = this.runs.rules("rules.yml", "rules:\n  all: { paths: /a, thresholds: 2/1d }\n");
		List<String> lines = IntStream.range(0, 120_000)
			.mapToObj((i) -> "10.%d.%d.%d - - [10/Oct/2026:00:00:00 +0000] \"GET /a HTTP/1.1\" 200 5 \"-\" \"-\""
				.formatted((i >> 16) & 255, (i >> 8) & 255, i & 255))
			.toList();
		assertThat(this.runs.run("--rules", rules, "--log", this.runs.log("log", lines))).isZero();
		assertThat(this.runs.out()).containsPattern("(?m)^all +120,?000 +0 ");
	}

	@Test
	void rulesInAnotherPlaceAreReportedAsMissing() throws IOException {
		Path rules = this.runs.rules("rules.yml", ANY + "rule-source.file: /etc/rules.yml\n");
		assertThat(this.runs.run("--rules", rules, "--log", this.runs.log("log", List.of()))).isZero();
		assertThat(this.runs.out()).contains("! ratelimit.rule-source names other places of rules");
	}

	@Test
	void theReportShowsWhichClientsWereRefusedMostAndWhen() throws IOException {
		List<String> log = new ArrayList<>(Runs.combined("GET /a", "4@0 2@5"));
		log.addAll(Runs.combined("GET /a", "5@7")
			.stream()
			.map((line) -> line.replace("192.0.2.1", "2001:db8::7"))
			.toList());
		log.add("\u0016\u0003\u0001");
		Path rules = this.runs.rules("rules.yml", ANY);
		assertThat(this.runs.run("--rules", rules, "--log", this.runs.log("access.log", log))).isZero();
		assertThat(this.runs.out().replace(this.directory + "/", "")).isEqualTo("""
				access.log (combined): 12 lines, 11 requests replayed, 2026-10-10T00:00:00Z to 2026-10-10T00:00:07Z
				  broken lines: 1 (1 is not in this format)
				    line 12 is not in this format: ???

				rules.yml: 6 requests admitted, 5 refused (45.5 %); 0 matched no rule

				rule  admitted  refused          released  not asked  not applied  bytes/key
				any          6        5  45.5 %         0          0            0         84

				any refused most often
				          3  192.0.2.1
				          2  2001:db8:0:0::

				8 slices of 1s from 2026-10-10T00:00:00Z
				any  admitted |\u2588      \u2588| at most 3
				     refused  |\u2584    \u2588 \u2588| at most 2
				""");
	}

	@Test
	void twoFilesAreShownSideBySide() throws IOException {
		Path rules = this.runs.rules("rules.yml", ANY + "  gone: { paths: /**, thresholds: 9/1m }\n");
		Path other = this.runs.rules("other.yml", "rules:\n  any: { paths: /**, thresholds: 1/10s }\n");
		Path log = this.runs.log("log", Runs.combined("GET /a", "4@0 2@5"));
		assertThat(this.runs.run("--rules", rules, "--log", log, "--compare", other)).isZero();
		assertThat(this.runs.out().replace(this.directory + "/", "")).contains("""
				rules.yml -> other.yml

				rule          admitted  ->     refused  ->     difference
				any                  3  ->  1        3  ->  5  +2 refused
				gone                 3  ->  -        0  ->  -  +0 refused
				all requests         3  ->  1        3  ->  5  +2 refused
				""");
	}

	@Test
	void theJsonReportHasTheSameResults() throws IOException {
		Path rules = this.runs.rules("rules.yml", ANY);
		Path log = this.runs.log("log", Runs.combined("GET /a", "4@0 2@5"));
		assertThat(this.runs.run("--rules", rules, "--log", log, "--compare", rules, "--output", "json")).isZero();
		assertThat(this.runs.json().at("/log/replayed").asLong()).isEqualTo(6);
		assertThat(this.runs.json().at("/time/start").asString()).isEqualTo("2026-10-10T00:00:00Z");
		assertThat(this.runs.json().at("/ruleSets")).hasSize(2);
		assertThat(this.runs.rule("any").at("/refusedOverTime").toString()).isEqualTo("[1,0,0,0,0,2]");
		assertThat(this.runs.rule("any").at("/peakBytesPerKey").asLong()).isEqualTo(84);
	}

	@Test
	void aLogMayBeCompressed() throws IOException {
		Path log = this.directory.resolve("access.log.gz");
		try (OutputStream gzip = new GZIPOutputStream(Files.newOutputStream(log))) {
			gzip.write(String.join("\n", Runs.combined("GET /a", "4@0")).getBytes(StandardCharsets.UTF_8));
		}
		Path rules = this.runs.rules("rules.yml", ANY);
		assertThat(this.runs.run("--rules", rules, "--log", log, "--output", "json")).isZero();
		assertThat(this.runs.rule("any").get("refused").asLong()).isEqualTo(1);
	}

	@Test
	void aTruncatedLogGivesNoReport() throws IOException {
		Path log = this.directory.resolve("access.log.gz");
		try (OutputStream gzip = new GZIPOutputStream(Files.newOutputStream(log))) {
			gzip.write(String.join("\n", Runs.combined("GET /a", "400@0")).getBytes(StandardCharsets.UTF_8));
		}
		byte[] bytes = Files.readAllBytes(log);
		Files.write(log, Arrays.copyOf(bytes, bytes.length - 20));
		assertThat(this.runs.run("--rules", this.runs.rules("rules.yml", ANY), "--log", log)).isEqualTo(1);
		assertThat(this.runs.err()).contains("The log cannot be read to its end");
		assertThat(this.runs.out()).isEmpty();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			value = { "json | GET / HTTP/1.1 | is not in this format: 192.0.2.1 - - [10/Oct/2026",
					"combined | {\"time\":0} | is not in this format: {\"time\":0,\"ip\":\"::1\"",
					"combined | nothing at all | is not in this format: nothing at all" })
	void theErrorForALogInAnotherFormatNamesTheFormats(String format, String line, String error) throws IOException {
		String text = line.replace("{\"time\":0}",
				"{\"time\":0,\"ip\":\"::1\",\"request\":\"GET /a HTTP/1.1\",\"status\":200}");
		List<String> log = line.startsWith("GET") ? Runs.combined("GET /", "3@0") : List.of(text, text, text);
		Path rules = this.runs.rules("rules.yml", ANY);
		assertThat(this.runs.run("--rules", rules, "--log", this.runs.log("access.log", log), "--format", format))
			.isEqualTo(2);
		assertThat(this.runs.out()).isEmpty();
		assertThat(this.runs.err()).contains("access.log", "has no line that can be read as " + format,
				"line 1 " + error, "--format combined", "--format json");
	}

	@Test
	void aLogInAnotherFormatIsNotReadToItsEnd() throws IOException {
		List<String> log = new ArrayList<>(Collections.nCopies(2000, "2026-10-10 00:00:00 GET / 192.0.2.1 200"));
		log.addAll(Runs.combined("GET /a", "1@0"));
		Path rules = this.runs.rules("rules.yml", ANY);
		assertThat(this.runs.run("--rules", rules, "--log", this.runs.log("access.log", log))).isEqualTo(2);
		assertThat(this.runs.err()).contains("its first 1,000 lines");
	}

	@Test
	void aLogThatBeginsWithBrokenLinesIsRead() throws IOException {
		List<String> log = new ArrayList<>(Collections.nCopies(999, "#Fields: date time cs-method"));
		log.addAll(Runs.combined("GET /a", "1@0"));
		Path rules = this.runs.rules("rules.yml", ANY);
		assertThat(this.runs.run("--rules", rules, "--log", this.runs.log("access.log", log))).isZero();
		assertThat(this.runs.out()).contains("1,000 lines, 1 requests replayed", "broken lines: 999");
	}

	@Test
	void anEmptyLogHasAReport() throws IOException {
		Path rules = this.runs.rules("rules.yml", ANY);
		assertThat(this.runs.run("--rules", rules, "--log", this.runs.log("log", List.of()))).isZero();
		assertThat(this.runs.out()).contains("0 lines, 0 requests replayed");
	}

}
