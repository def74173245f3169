package dev.ratelimit.integration.live;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimited;
import dev.ratelimit.RateLimited.OnLimit;
import dev.ratelimit.RateLimiter;
import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.Provider;
import dev.ratelimit.integration.support.RuleFiles;
import dev.ratelimit.integration.support.TimedStore;
import dev.ratelimit.rule.live.RateLimitRulesRefusedEvent;
import dev.ratelimit.rule.live.RuleRefresh;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.web.client.RestClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Rules that calls wait under change while the application runs: a change that would
 * leave the calls without turns does not come into force.
 */
class LiveClientsTests {

	private static final String GOOD = "called: {key: global, thresholds: 5/10m}, waited: {key: global, thresholds: 5/10m}";

	@TempDir
	static Path directory;

	private static Provider provider;

	private static App app;

	static class Waiting {

		@RateLimited(value = "waited", onLimit = OnLimit.DELAY)
		void call() {
			// It is made.
		}

	}

	@BeforeAll
	static void start() throws IOException {
		provider = new Provider();
		write(GOOD);
		app = App.start("""
				ratelimit:
				  rule-source: {file: '%s', refresh: 1h}
				  clients.provider: {rule: called, hosts: 127.0.0.1, max-wait: 0s}
				""".formatted(file()), LiveRulesTests.LiveBeans.class, Waiting.class, TimedStore.class);
	}

	@AfterAll
	static void stop() {
		app.close();
		provider.close();
	}

	/** Restores the good rules, whose windows hold no call. */
	@BeforeEach
	void reset() throws IOException {
		app.bean(MovableClock.class).advance(Duration.ofMinutes(11));
		reload(GOOD);
		app.bean(LiveRulesTests.LiveBeans.class).events.clear();
	}

	private static Path file() {
		return directory.resolve("limits.yml");
	}

	private static void write(String rules) throws IOException {
		RuleFiles.replace(file(),
				"ratelimit.rules: {named: {thresholds: 9/10m}, served: {thresholds: 9/10m}, " + rules + "}\n");
	}

	private static void reload(String rules) throws IOException {
		write(rules);
		app.bean(RuleRefresh.class).refresh();
	}

	private static void callAll() {
		app.bean(RestClient.Builder.class).build().get().uri(provider.url("127.0.0.1")).retrieve().toBodilessEntity();
		app.bean(Waiting.class).call();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "algorithm: token-bucket | ratelimit.clients.provider.rule 'called' | no call can wait",
					"count-rejected: true | ratelimit.clients.provider.rule 'called' | sliding-window-log, mode strict",
					"mode: leased | ratelimit.clients.provider.rule 'called' | no call can wait" })
	void aRuleThatAClientWaitsUnderKeepsItsTurns(String change, String what, String why) throws Exception {
		callAll();
		reload(GOOD.replace("called: {", "called: {" + change + ", "));
		assertRefused(what, why);
	}

	@Test
	void aRuleThatAClientNamesCannotBeRemoved() throws Exception {
		reload("waited: {key: global, thresholds: 5/10m}");
		assertRefused("ratelimit.clients.provider.rule 'called'", "is no rule");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "ip | has no key: global now, which a client cannot follow",
			"[ip, 'header:X'] | has a key of several values" })
	void aRuleThatAClientNamesKeepsAKeyThatTheClientHas(String key, String why) throws Exception {
		reload(GOOD.replace("called: {key: global", "called: {key: " + key));
		assertRefused("ratelimit.clients.provider.rule 'called'", why);
	}

	@ParameterizedTest
	@CsvSource({ "algorithm: token-bucket", "count-rejected: true", "mode: leased" })
	void aRuleThatAnAnnotationWaitsUnderKeepsItsTurns(String change) throws Exception {
		callAll();
		reload(GOOD.replace("waited: {", "waited: {" + change + ", "));
		assertRefused("@RateLimited(onLimit) on " + Waiting.class.getName() + ".call()",
				"is not for rule 'waited', which gives no turns");
	}

	private static void assertRefused(String what, String why) throws InterruptedException {
		assertThat(app.bean(LiveRulesTests.LiveBeans.class).events).singleElement()
			.satisfies((event) -> assertThat(((RateLimitRulesRefusedEvent) event).reason()).contains(what, why));
		assertThat(app.get("/actuator/ratelimits").body()).contains("\"failure\":");
		callAll();
		RateLimitDecision decision = app.bean(RateLimiter.class).acquire("called", new String[0], 1, Duration.ZERO);
		assertThat(decision.quotas().get(0).limit()).as("the last good rules stay").isEqualTo(5);
	}

	@Test
	void otherChangesComeIntoForceForWaitingCalls() throws Exception {
		reload(GOOD.replace("5/10m", "7/10m"));
		callAll();
		RateLimitDecision decision = app.bean(RateLimiter.class).acquire("called", new String[0], 1, Duration.ZERO);
		assertThat(decision.quotas().get(0)).satisfies((quota) -> {
			assertThat(quota.limit()).isEqualTo(7);
			assertThat(quota.remaining()).isEqualTo(5);
		});
	}

}
