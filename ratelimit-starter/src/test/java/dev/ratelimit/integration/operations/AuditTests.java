package dev.ratelimit.integration.operations;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.RuleFiles;
import dev.ratelimit.integration.support.SharedCluster;
import dev.ratelimit.rule.live.RateLimitRulesChangedEvent;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.boot.actuate.audit.AuditEventRepository;
import org.springframework.boot.actuate.audit.InMemoryAuditEventRepository;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What operators change is in the audit events of Boot: resets through the endpoint, with
 * the user, and changes of rules. No event has the key of a client.
 */
@ExtendWith(SharedCluster.class)
class AuditTests {

	private static final String RULES = """
			management.endpoint.ratelimits.access: unrestricted
			ratelimit.rules.any: {key: 'header:X-Client', thresholds: 9/1h}
			ratelimit.rules.address: {thresholds: 9/1h}
			""";

	private static final String[] OPS = { "Authorization",
			"Basic " + Base64.getEncoder().encodeToString("ops:secret".getBytes(StandardCharsets.UTF_8)) };

	static List<AuditEvent> events(App app) {
		return app.bean(AuditEventRepository.class)
			.find(null, null, null)
			.stream()
			.filter((event) -> event.getType().startsWith("RATELIMIT_"))
			.toList();
	}

	@Test
	void aResetNamesTheUserTheRuleAndTheHashOfTheClientAndWhatChangesNothingIsNoEvent() {
		try (App app = App.startSecured(SharedCluster.yaml() + RULES, EndpointSecurityTests.Users.class,
				Repository.class)) {
			app.get("/actuator/ratelimits/any?key=mallory", OPS);
			assertThat(app.send("DELETE", "/actuator/ratelimits/other?key=mallory", OPS).statusCode()).isEqualTo(404);
			assertThat(app.send("DELETE", "/actuator/ratelimits/any?key=mallory").statusCode()).isEqualTo(401);
			assertThat(events(app)).isEmpty();
			assertThat(app.send("DELETE", "/actuator/ratelimits/any?key=mallory", OPS).statusCode()).isEqualTo(204);
			AuditEvent byKey = events(app).get(0);
			assertThat(byKey.getPrincipal()).isEqualTo("ops");
			assertThat(byKey.getType()).isEqualTo("RATELIMIT_RESET");
			String hash = (String) byKey.getData().get("client");
			assertThat(byKey.getData()).isEqualTo(Map.of("rule", "any", "client", hash, "outcome", "success"));
			assertThat(app.get("/actuator/ratelimits/any?key=mallory", OPS).body()).contains(hash);
			app.send("DELETE", "/actuator/ratelimits/any/" + hash, OPS);
			app.send("DELETE", "/actuator/ratelimits/address?key=192.0.2.7", OPS);
			assertThat(events(app)).hasSize(3);
			assertThat(events(app).get(1).getData()).isEqualTo(byKey.getData());
			assertThat(events(app).toString()).contains(hash).doesNotContain("mallory", "192.0.2.7");
		}
	}

	@Test
	void aResetIsDoneWhereItsEventCannotBeStored() {
		try (App app = App.start(SharedCluster.yaml() + RULES, BrokenRepository.class)) {
			assertThat(app.send("DELETE", "/actuator/ratelimits/any?key=mallory").statusCode()).isEqualTo(204);
		}
	}

	@Test
	void aChangeOfRulesNamesTheRulesEvenIfAListenerOfTheApplicationFails(@TempDir Path directory) throws IOException {
		Path rules = Files.writeString(directory.resolve("rules.yml"), """
				ratelimit.rules:
				  login: {thresholds: 5/1m}
				  search: {thresholds: 5/1m}
				""");
		try (App app = App.start(
				RULES + "ratelimit.store: memory\nratelimit.rule-source: {refresh: 1s, file: '" + rules + "'}\n",
				Repository.class, BrokenListener.class)) {
			assertThat(events(app)).isEmpty();
			RuleFiles.replace(rules, """
					ratelimit.rules:
					  login: {thresholds: 6/1m}
					  upload: {thresholds: 5/1m}
					""");
			Awaitility.await().until(() -> !events(app).isEmpty());
			assertThat(events(app)).singleElement().satisfies((event) -> {
				assertThat(event.getPrincipal()).isEqualTo("<unknown>");
				assertThat(event.getType()).isEqualTo("RATELIMIT_RULES_CHANGED");
				assertThat(event.getData()).isEqualTo(
						Map.of("added", Set.of("upload"), "changed", Set.of("login"), "removed", Set.of("search")));
			});
		}
	}

	static class BrokenListener {

		@EventListener
		void changed(RateLimitRulesChangedEvent event) {
			throw new IllegalStateException("No chat");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Repository {

		@Bean
		AuditEventRepository events() {
			return new InMemoryAuditEventRepository();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class BrokenRepository {

		@Bean
		AuditEventRepository events() {
			return new InMemoryAuditEventRepository() {

				@Override
				public void add(AuditEvent event) {
					throw new IllegalStateException("No database");
				}

			};
		}

	}

}
