package dev.ratelimit.backtest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The decisions of rules on sequences of requests that can be verified by hand.
 */
class KnownSequenceTests {

	@TempDir
	private Path directory;

	private Runs runs;

	@BeforeEach
	void newRuns() {
		this.runs = new Runs(this.directory);
	}

	private void replay(String rules, List<String> log, String format) throws IOException {
		int end = this.runs.run("--rules", this.runs.rules("rules.yml", rules), "--log", this.runs.log("log", log),
				"--format", format, "--output", "json");
		assertThat(this.runs.err()).isEmpty();
		assertThat(end).isZero();
	}

	private void assertThatRule(String id, long admitted, long refused) {
		assertThat(this.runs.rule(id).get("admitted").asLong()).as("admitted by " + id).isEqualTo(admitted);
		assertThat(this.runs.rule(id).get("refused").asLong()).as("refused by " + id).isEqualTo(refused);
	}

	/**
	 * Three requests in ten seconds. After twelve seconds a counter counts 0.8 of the
	 * three requests of the previous window, rounded down to 2. After five seconds a
	 * bucket has regained 1.5 permits.
	 */
	@ParameterizedTest
	@CsvSource({ "sliding-window-log, 4@0 2@5 3@12, 6, 3", "fixed-window, 4@0 2@5 3@12, 6, 3",
			"sliding-window-counter, 4@0 2@5 3@12, 4, 5", "token-bucket, 4@0 2@5 1@12, 5, 2",
			"leaky-bucket, 4@0 2@5 1@12, 5, 2", "sliding-window-log, 4@0 2@5 1@12, 4, 3",
			"fixed-window, 2@8 2@9 3@10, 6, 1", "sliding-window-log, 2@8 2@9 3@10, 3, 4" })
	void everyAlgorithmCountsOnTheClockOfTheLog(String algorithm, String requests, long admitted, long refused)
			throws IOException {
		replay("""
				rules:
				  any:
				    paths: /**
				    algorithm: %s
				    thresholds: 3/10s
				""".formatted(algorithm), Runs.combined("GET /a", requests), "combined");
		assertThatRule("any", admitted, refused);
	}

	@Test
	void pathsAndMethodsMatchAsInProduction() throws IOException {
		List<String> log = new ArrayList<>();
		for (String request : List.of("GET /v1/product/7", "HEAD /v1/product/7/", "GET /v1/product/7?a=/v2",
				"GET /v1/pr%6fduct/7/x", "POST /v1/product/7", "GET /V1/product/7", "GET /v1/product",
				"GET /actuator/health", "GET /v1/product/exempt")) {
			log.addAll(Runs.combined(request, "1@0"));
		}
		replay("""
				exempt:
				  paths: /v1/product/exempt
				rules:
				  product:
				    methods: GET
				    paths: /v1/product/{id}/**
				    thresholds: 1/1m
				  all:
				    paths: /**
				    thresholds: 100/1m
				""", log, "combined");
		assertThatRule("product", 1, 3);
		assertThat(this.runs.json().at("/ruleSets/0/unmatched").asLong()).as("to Actuator, or exempt").isEqualTo(2);
	}

	@Test
	void everyFactOfALogMayBeAKey() throws IOException {
		replay("""
				rules:
				  by-user: { paths: /**, key: principal, on-missing-key: skip, thresholds: 1/1m }
				  by-header: { paths: /**, key: header:X-Api-Key, on-missing-key: deny, thresholds: 2/1m, shadow: true }
				  by-cookie: { paths: /**, key: cookie:shop, on-missing-key: shared, thresholds: 2/1m, shadow: true }
				  by-query: { paths: /**, key: query:q, thresholds: 1/1m, shadow: true }
				  by-variable: { paths: "/{first}/**", key: path:first, thresholds: 2/1m, shadow: true }
				  by-both: { paths: /**, key: [ip, "header:User-Agent"], thresholds: 2/1m, shadow: true }
				  by-condition: { paths: /**, when: "headers['X-Api-Key'] == 'k1'", thresholds: 1/1m, shadow: true }
				""", List.of(
				"{\"time\":0,\"ip\":\"::1\",\"request\":\"GET /a?q=1 HTTP/1.1\",\"status\":200,\"user\":\"anna\",\"http_x_api_key\":\"k1\",\"http_cookie\":\"a=b; shop=s\",\"http_user_agent\":\"x\"}",
				"{\"time\":0,\"ip\":\"::1\",\"request\":\"GET /a?q=%31 HTTP/1.1\",\"status\":200,\"user\":\"ben\",\"http_x_api_key\":\"k1\",\"http_cookie\":\"shop=s\",\"http_user_agent\":\"x\"}",
				"{\"time\":0,\"ip\":\"::1\",\"request\":\"GET /%61 HTTP/1.1\",\"status\":200,\"user\":\"-\",\"http_x_api_key\":\"k1\",\"http_user_agent\":\"x\"}",
				"{\"time\":0,\"ip\":\"::1\",\"request\":\"GET /b HTTP/1.1\",\"status\":200,\"user\":\"anna\",\"http_cookie\":\"shop=s\",\"http_user_agent\":\"y\"}"),
				"json");
		assertThatRule("by-user", 2, 1);
		assertThat(this.runs.rule("by-user").get("skipped").asLong()).isEqualTo(1);
		assertThatRule("by-header", 2, 2);
		assertThatRule("by-cookie", 3, 1);
		assertThatRule("by-query", 2, 2);
		assertThatRule("by-variable", 2, 1);
		assertThatRule("by-both", 2, 1);
		assertThatRule("by-condition", 1, 2);
	}

	@Test
	void permitsForARequestThatOneRuleRefusesAreReleasedByTheOthers() throws IOException {
		replay("""
				rules:
				  few: { paths: /a, thresholds: 1/1m }
				  many: { paths: /**, thresholds: 2/1m }
				""",
				List.of(Runs.combined("GET /a", "3@0"), Runs.combined("GET /b", "2@0"))
					.stream()
					.flatMap(List::stream)
					.toList(),
				"combined");
		assertThatRule("few", 1, 2);
		assertThatRule("many", 2, 1);
		assertThat(this.runs.rule("many").get("released").asLong()).isEqualTo(2);
		assertThat(this.runs.json().at("/ruleSets/0/admitted").asLong()).isEqualTo(2);
		assertThat(this.runs.json().at("/ruleSets/0/refused").asLong()).isEqualTo(3);
	}

	@Test
	void everyRowAddsUpToTheRequestsThatItsRuleMatches() throws IOException {
		List<String> log = new ArrayList<>();
		String line = "{\"time\":0,\"ip\":\"%s\",\"request\":\"GET %s HTTP/1.1\",\"status\":200%s}";
		log.addAll(Collections.nCopies(3, line.formatted("192.0.2.1", "/a", "")));
		log.addAll(Collections.nCopies(4, line.formatted("192.0.2.2", "/a", "")));
		log.addAll(Collections.nCopies(5, line.formatted("192.0.2.1", "/keyed", "")));
		log.addAll(Collections.nCopies(1, line.formatted("192.0.2.3", "/keyed", ",\"http_x_api_key\":\"k\"")));
		replay("""
				rules:
				  blocking: { paths: /**, thresholds: 2/1m, overrides: [{ key: 192.0.2.2, thresholds: blocked }] }
				  keyed: { paths: /keyed, key: "header:X-Api-Key", on-missing-key: deny, thresholds: 100/1m }
				  wide: { paths: /**, key: "header:X-Api-Key", on-missing-key: shared, thresholds: 100/1m }
				  watching: { paths: /**, thresholds: 1/1m, shadow: true }
				  conditional: { paths: /**, when: "method == 'PUT'", thresholds: 1/1m }
				""", log, "json");
		assertThatRow("blocking", 3, 5, 0, 5, 0);
		assertThatRow("keyed", 1, 5, 0, 0, 0);
		assertThatRow("wide", 3, 0, 1, 9, 0);
		assertThatRow("watching", 2, 2, 0, 9, 0);
		this.runs.json().at("/ruleSets/0/rules").forEach((rule) -> {
			String id = rule.get("id").asString();
			long sum = Stream.of("admitted", "refused", "released", "notAsked", "skipped")
				.mapToLong((column) -> rule.get(column).asLong())
				.sum();
			assertThat(sum).as(id).isEqualTo(id.equals("keyed") ? 6 : 13);
		});
	}

	private void assertThatRow(String id, long admitted, long refused, long released, long notAsked, long skipped) {
		assertThatRule(id, admitted, refused);
		assertThat(this.runs.rule(id).get("released").asLong()).as("released by " + id).isEqualTo(released);
		assertThat(this.runs.rule(id).get("notAsked").asLong()).as(id + " not evaluated").isEqualTo(notAsked);
		assertThat(this.runs.rule(id).get("skipped").asLong()).as(id + " not applied").isEqualTo(skipped);
	}

	@Test
	void theLoggedStatusIsTheOutcome() throws IOException {
		List<String> log = new ArrayList<>(Runs.combined("POST /pay", "5@0"));
		log.addAll(Runs.combined("POST /pay", "4@1").stream().map((line) -> line.replace(" 200 ", " 402 ")).toList());
		replay("""
				rules:
				  failures: { paths: /pay, count-on: failure, thresholds: 3/1m }
				""", log, "combined");
		assertThatRule("failures", 8, 1);
	}

	@Test
	void plansAndOverridesHaveTheirOwnThresholds() throws IOException {
		List<String> log = new ArrayList<>();
		for (String client : List.of("192.0.2.1 gold", "192.0.2.2 none", "10.1.2.3 gold", "203.0.113.9 gold")) {
			String[] parts = client.split(" ", -1);
			for (int i = 0; i < 4; i++) {
				log.add("{\"time\":0,\"ip\":\"%s\",\"request\":\"GET / HTTP/1.1\",\"status\":200,\"http_x_plan\":\"%s\"}"
					.formatted(parts[0], parts[1]));
			}
		}
		replay("""
				rules:
				  api:
				    paths: /**
				    thresholds: 1/1m
				    plan-key: header:X-Plan
				    plans: { gold: 3/1m }
				    overrides:
				      - { key: 10.0.0.0/8, thresholds: unlimited }
				      - { key: 203.0.113.9, thresholds: blocked }
				""", log, "json");
		assertThatRule("api", 3 + 1 + 4, 1 + 3 + 4);
	}

	@Test
	void theAddressForwardedByATrustedProxyIsTheClient() throws IOException {
		replay("""
				trusted-proxies: 10.0.0.1
				rules:
				  any: { paths: /**, thresholds: 1/1m }
				""", List.of(
				"{\"time\":0,\"ip\":\"10.0.0.1\",\"request\":\"GET / HTTP/1.1\",\"status\":200,\"http_x_forwarded_for\":\"1.1.1.1, 192.0.2.7\"}",
				"{\"time\":0,\"ip\":\"10.0.0.1\",\"request\":\"GET / HTTP/1.1\",\"status\":200,\"http_x_forwarded_for\":\"192.0.2.8\"}",
				"{\"time\":0,\"ip\":\"192.0.2.7\",\"request\":\"GET / HTTP/1.1\",\"status\":200,\"http_x_forwarded_for\":\"192.0.2.9\"}"),
				"json");
		assertThatRule("any", 2, 1);
		assertThat(this.runs.rule("any").at("/hardestHit/0/client").asString()).isEqualTo("192.0.2.7");
	}

	@Test
	void pathsAreRelativeToTheContextPath() throws IOException {
		Path rules = Files.writeString(this.directory.resolve("application.yml"), """
				server:
				  servlet:
				    context-path: /shop
				ratelimit:
				  rules:
				    a: { paths: /a, thresholds: 1/1m }
				""");
		List<String> log = new ArrayList<>(Runs.combined("GET /shop/a", "3@0"));
		log.addAll(Runs.combined("GET /a", "3@0"));
		log.addAll(Runs.combined("GET /shopping/a", "3@0"));
		assertThat(this.runs.run("--rules", rules, "--log", this.runs.log("log", log), "--output", "json")).isZero();
		assertThatRule("a", 1, 2);
	}

}
