package dev.ratelimit.web;

import java.util.List;

import dev.ratelimit.fixture.Beans;
import dev.ratelimit.fixture.SpeakingLog;
import dev.ratelimit.limiter.CompiledRules;
import dev.ratelimit.limiter.SubjectEncoder;
import dev.ratelimit.limiter.outage.NamedRules;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RuleSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPatternParser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

@ExtendWith({ OutputCaptureExtension.class, SpeakingLog.class })
class MatchedRequestsTests {

	private static RLConfig rule(String id, String... paths) {
		return RLConfig.builder(id).paths(paths).thresholds("9/1m").build();
	}

	private static RouteTable table(RLConfig... rules) {
		return new RouteTable(new CompiledRules(new RuleSet(List.of(rules)), 64, NamedRules.NONE), (id) -> false,
				new PathPatternParser(), List.of(), ActuatorPaths.NONE, Beans.NONE, new SubjectEncoder(64, ""),
				System::nanoTime);
	}

	private static void request(RouteTable table, int times, String path) {
		for (int i = 0; i < times; i++) {
			table.matched().count(table.match(PathContainer.parsePath(path), "GET"));
		}
	}

	@Test
	void aRuleThatMatchesNoneOfAThousandRequestsIsNamedOnce(CapturedOutput output) {
		RouteTable table = table(rule("used", "/hello", "/x/**"), rule("typo", "/helo"), rule("in-code"));
		request(table, 1, "/x/y");
		request(table, 998, "/other");
		assertThat(output).doesNotContain("matched none");
		request(table, 3000, "/other");
		assertThat(output).containsOnlyOnce("INFO")
			.containsOnlyOnce(
					"1 of the rules with paths matched none of the last 1000 requests: typo [/helo]. Compare");
		assertThat(table.matched().counts()).containsOnly(entry("used", 1L), entry("typo", 0L));
	}

	@Test
	void rulesOfAReloadGoOnWithTheirCountsAndAreNotNamedAgain(CapturedOutput output) {
		RouteTable before = table(rule("same", "/hello"), rule("moved", "/hello"), rule("typo", "/helo"));
		request(before, 1000, "/hello");
		RouteTable after = table(rule("same", "/hello"), rule("moved", "/moved"), rule("typo", "/helo"));
		after.matched().follow(before.matched());
		assertThat(after.matched().counts()).containsOnly(entry("same", 1000L), entry("moved", 0L), entry("typo", 0L));
		request(after, 1000, "/other");
		assertThat(output).containsOnlyOnce("typo [/helo]").containsOnlyOnce("moved [/moved]").doesNotContain("same [");
	}

}
