package dev.ratelimit.integration.operations;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.fixture.Patience;
import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.CapturedLog;
import dev.ratelimit.integration.support.RuleFiles;
import dev.ratelimit.rule.live.RuleRefresh;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Warnings for an operator: logged once, when the cause begins, and shown in the health
 * details as long as it lasts.
 */
@ExtendWith(OutputCaptureExtension.class)
class WarningsTests {

	private static final String DETAILS = "management.endpoint.health.show-details: always\n";

	private static List<String> warnings(CapturedLog log) {
		return log.events()
			.stream()
			.filter((event) -> event.getLevel() == Level.WARN)
			.map(ILoggingEvent::getFormattedMessage)
			.toList();
	}

	@Test
	void theStartAndEachReloadWarnOfWhatIsNew(@TempDir Path directory, CapturedOutput output) throws IOException {
		Path file = directory.resolve("rules.yml");
		String login = "login: {paths: /login, on-store-failure: allow, thresholds: 5/1m}";
		Files.writeString(file, "ratelimit.rules:\n  " + login + "\n");
		try (App app = App
			.start(DETAILS + "ratelimit: {store: memory, rule-source: {file: '" + file + "', refresh: 1h}}\n");
				CapturedLog log = new CapturedLog(Level.WARN)) {
			assertThat(output).containsOnlyOnce("Rule 'login' has on-store-failure allow");
			RuleFiles.replace(file,
					"ratelimit.rules:\n  " + login + "\n  late: {paths: /open, thresholds: '100/1s, 50/10s'}\n");
			app.bean(RuleRefresh.class).refresh();
			app.bean(RuleRefresh.class).refresh();
			assertThat(warnings(log)).singleElement()
				.asString()
				.contains("Rule 'late': the threshold 100/1s can never be reached");
			assertThat(app.get("/actuator/health/ratelimit").body()).contains("\"status\":\"UP\"", "\"warnings\":[",
					"Rule 'login' has", "Rule 'late': the threshold");
			RuleFiles.replace(file, "ratelimit.rules:\n  late: {paths: /open, thresholds: 50/10s}\n");
			app.bean(RuleRefresh.class).refresh();
			assertThat(app.get("/actuator/health/ratelimit").body()).doesNotContain("warnings");
		}
	}

	@Test
	void anAcknowledgedWarningIsShownByTheEndpointOnly(CapturedOutput output) {
		try (App app = App.start(DETAILS + """
				ratelimit:
				  store: memory
				  defaults.acknowledge: fail-open-login
				  rules:
				    login: {paths: /login, on-store-failure: allow, thresholds: 5/1m}
				    otp: {paths: /otp, on-store-failure: allow, thresholds: 5/1m, acknowledge: [log-memory]}
				""")) {
			assertThat(output).containsOnlyOnce("has on-store-failure allow")
				.contains("Rule 'otp' has on-store-failure allow");
			assertThat(app.get("/actuator/health/ratelimit").body()).contains("Rule 'otp' has")
				.doesNotContain("Rule 'login' has");
			assertThat(app.get("/actuator/ratelimits/login").body()).contains("\"acknowledge\":[\"fail-open-login\"]");
		}
	}

	@Test
	void aRedisThatMayEvictCountersIsDetectedInTheBackground(CapturedOutput output) {
		try (RedisServer redis = RedisServer.start("--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru");
				App app = App.start(DETAILS + "spring.data.redis.port: " + redis.port()
						+ "\nratelimit.rules.open: {paths: /open, thresholds: 5/1m}\n")) {
			Awaitility.await()
				.atMost(Patience.LONG)
				.untilAsserted(() -> assertThat(output).containsOnlyOnce("may evict counters"));
			assertThat(app.get("/actuator/health/ratelimit").body()).contains("maxmemory-policy is allkeys-lru");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "X-Forwarded-For", "Forwarded" })
	void anUnusedForwardingHeaderIsLoggedOnce(String header) {
		try (App app = App.start("ratelimit: {store: memory, rules: {open: {paths: /open, thresholds: 5/1m}}}\n");
				CapturedLog log = new CapturedLog(Level.WARN)) {
			app.get("/open");
			assertThat(warnings(log)).isEmpty();
			app.get("/open", header, "for=192.0.2.1");
			app.get("/open", header, "for=192.0.2.2");
			assertThat(warnings(log)).singleElement()
				.asString()
				.startsWith("A request came with the header " + header + ",")
				.contains("ratelimit.trusted-proxies")
				.doesNotContain("192.0.2");
		}
	}

	/** Behind a proxy in that range, all clients are exempt. */
	@Test
	void anUnusedForwardingHeaderOfAnExemptAddressIsLoggedOnce() {
		try (App app = App.start("""
				ratelimit:
				  store: memory
				  exempt.addresses: 127.0.0.0/8
				  rules.open: {paths: /open, key: global, thresholds: 5/1m}
				"""); CapturedLog log = new CapturedLog(Level.WARN)) {
			app.get("/open", "X-Forwarded-For", "192.0.2.1");
			app.get("/open", "X-Forwarded-For", "192.0.2.2");
			assertThat(warnings(log)).singleElement().asString().contains("ratelimit.exempt.addresses");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "ratelimit.trusted-proxies: 10.0.0.0/8", "server.forward-headers-strategy: native",
			"spring.main.cloud-platform: kubernetes" })
	void configuredProxiesCauseNoWarning(String setting) {
		try (App app = App
			.start(setting + "\nratelimit: {store: memory, rules: {open: {paths: /open, thresholds: 5/1m}}}\n");
				CapturedLog log = new CapturedLog(Level.WARN)) {
			// Of two hops the container trusts one.
			app.get("/open", "X-Forwarded-For", "192.0.2.9, 192.0.2.1");
			assertThat(warnings(log)).isEmpty();
		}
	}

}
