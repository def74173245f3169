package dev.ratelimit.web;

import java.time.Duration;
import java.util.List;

import dev.ratelimit.fixture.Beans;
import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.fixture.SpeakingLog;
import dev.ratelimit.limiter.CompiledRules;
import dev.ratelimit.limiter.SubjectEncoder;
import dev.ratelimit.limiter.refusal.NamedRules;
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

	private final MovableClock clock = new MovableClock();

	private static RLConfig rule(String id, String... paths) {
		return RLConfig.builder(id).paths(paths).thresholds("9/1m").build();
	}

	private static CompiledRules rules(RLConfig... rules) {
		return new CompiledRules(new RuleSet(List.of(rules)), 64, NamedRules.NONE);
	}

	private RouteTable table(RLConfig... rules) {
		return table(rules(rules));
	}

	private RouteTable table(CompiledRules rules) {
		return new RouteTable(rules, (id) -> false, new PathPatternParser(), List.of(), ActuatorPaths.NONE, Beans.NONE,
				new SubjectEncoder(64, ""), this.clock::nanoTime);
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
		assertThat(output).doesNotContain("matched no request");
		request(table, 3000, "/other");
		assertThat(output).containsOnlyOnce("INFO")
			.containsOnlyOnce("1 of the rules with paths matched no request so far: typo [/helo]. Compare");
		assertThat(table.matched().counts()).containsOnly(entry("used", 1L), entry("typo", 0L));
	}

	@Test
	void anHourOfFewRequestsIsEnough(CapturedOutput output) {
		RouteTable table = table(rule("typo", "/helo"));
		request(table, 10, "/other");
		this.clock.advance(Duration.ofHours(1));
		request(table, 1, "/other");
		assertThat(output).doesNotContain("matched no request");
		this.clock.advance(Duration.ofMillis(1));
		request(table, 10, "/other");
		assertThat(output).containsOnlyOnce("typo [/helo]");
	}

	@Test
	void unchangedRulesOfAReloadGoOnWithTheirCountsAndAreNotNamedAgain(CapturedOutput output) {
		CompiledRules rules = rules(rule("same", "/hello"), rule("moved", "/before"), rule("typo", "/helo"));
		RouteTable before = table(rules);
		request(before, 1000, "/hello");
		RouteTable after = table(rules
			.followedBy(new RuleSet(List.of(rule("same", "/hello"), rule("moved", "/moved"), rule("typo", "/helo")))));
		assertThat(after.matched().counts()).containsOnly(entry("same", 1000L), entry("moved", 0L), entry("typo", 0L));
		request(after, 1000, "/other");
		assertThat(output).containsOnlyOnce("typo [/helo]").containsOnlyOnce("moved [/moved]").doesNotContain("same [");
	}

}
