package dev.ratelimit.integration.operations;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;

import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.RuleFiles;
import dev.ratelimit.integration.support.SharedCluster;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The number of meters depends on the configuration, not on clients or failures.
 */
@Tag("proof-slow")
@ExtendWith(SharedCluster.class)
class MetersProof {

	@TempDir
	private Path directory;

	private static void write(Path rules, String thresholds) {
		RuleFiles.replace(rules, """
				ratelimit.rules.clients: {paths: '/product/*', key: 'header:X-Client', thresholds: %s}
				""".formatted(thresholds));
	}

	private static Set<Meter.Id> meters(App app) {
		return app.bean(MeterRegistry.class)
			.getMeters()
			.stream()
			.map(Meter::getId)
			// Meters of the observation are created when it is first used: at most one
			// for each operation and outcome.
			.filter((id) -> id.getName().startsWith("ratelimit.") && !id.getName().startsWith("ratelimit.store.active")
					&& !id.getName().equals("ratelimit.store"))
			.collect(Collectors.toSet());
	}

	@Test
	void aThousandClientsRefusalsErrorsAndReloadsAddNoMeter() throws IOException {
		Path rules = this.directory.resolve("rules.yml");
		write(rules, "2/1h");
		try (App app = App.start(SharedCluster.yaml() + """
				ratelimit.rule-source: {file: '%s', refresh: 1s}
				ratelimit.rules.global: {paths: '/**', key: global, on-store-failure: deny, thresholds: 100000/1h}
				ratelimit.rules.delayed: {paths: '/**', on-limit: delay, thresholds: 100000/1h}
				""".formatted(rules))) {
			Set<Meter.Id> before = meters(app);
			for (int i = 0; i < 1000; i++) {
				app.get("/product/" + i, "X-Client", "client" + i / 3);
				app.get("/" + i);
			}
			write(rules, "3/1h");
			awaitReload(app, "success");
			RuleFiles.replace(rules, "ratelimit.rules.clients: {paths: nowhere}");
			awaitReload(app, "failure");
			assertThat(meters(app)).isEqualTo(before);
			assertThat(app.bean(MeterRegistry.class)
				.get("http.server.requests")
				.tag("status", "429")
				.timer()
				.getId()
				.getTag("uri")).isEqualTo("/product/*");
		}
	}

	private static void awaitReload(App app, String outcome) {
		Awaitility.await()
			.atMost(Duration.ofMinutes(1))
			.until(() -> app.bean(MeterRegistry.class)
				.get("ratelimit.rules.reloads")
				.tag("outcome", outcome)
				.counter()
				.count() > 0);
	}

	@Test
	void aStoreThatIsAwayAddsNoMeter() {
		try (App app = App.start("""
				spring.data.redis.port: 1
				ratelimit.rules:
				  local: {paths: '/product/*', key: 'header:X-Client', thresholds: 2/1h}
				  denied: {paths: /open, on-store-failure: deny, thresholds: 2/1h}
				""")) {
			Set<Meter.Id> before = meters(app);
			for (int i = 0; i < 200; i++) {
				app.get("/product/1", "X-Client", "client" + i / 3);
				app.get("/open");
			}
			assertThat(meters(app)).isEqualTo(before);
		}
	}

}
