package dev.ratelimit.integration.live;

import java.io.IOException;
import java.nio.file.Path;

import dev.ratelimit.NamedRateLimiter;
import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimitDecision.Source;
import dev.ratelimit.RateLimiter;
import dev.ratelimit.RateLimiters;
import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.RuleFiles;
import dev.ratelimit.integration.support.SharedCluster;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.live.RuleRefresh;
import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Limiters that an application makes in code, beside the rules of a file that changes.
 */
@ExtendWith(SharedCluster.class)
@DisplayName("2.9 Code makes a limiter from a text, such as 10000/15m, and asks it for a client")
class LimitersOfCodeTests {

	@TempDir
	static Path directory;

	private static App app;

	/** A controller, which components that use rules depend on. */
	@RestController
	static class Exports {

		final NamedRateLimiter limiter;

		Exports(RateLimiters limiters) {
			this.limiter = limiters.of("exports", "2/15m");
		}

	}

	@BeforeAll
	static void start() throws IOException {
		write("configured: {thresholds: 9/1h}");
		app = App.start(SharedCluster.yaml() + "ratelimit.rule-source: {file: '%s', refresh: 1h}\n".formatted(file()),
				Exports.class);
	}

	@AfterAll
	static void stop() {
		app.close();
	}

	private static Path file() {
		return directory.resolve("limits.yml");
	}

	private static void write(String rules) throws IOException {
		RuleFiles.replace(file(), "ratelimit.rules: {" + rules + "}\n");
	}

	private static void reload(String rules) throws IOException {
		write(rules);
		app.bean(RuleRefresh.class).refresh();
	}

	private static RateLimiters limiters() {
		return app.bean(RateLimiters.class);
	}

	@Test
	void aLimiterOfTheStartCountsInTheStoreAndIsInEndpointAndMeters() {
		NamedRateLimiter exports = app.bean(Exports.class).limiter;
		assertThat(exports.peek("customer").quotas().get(0).remaining()).isEqualTo(2);
		RateLimitDecision decision = exports.tryAcquire("customer");
		assertThat(decision.source()).isEqualTo(Source.STORE);
		assertThat(exports.tryAcquire("customer").isAllowed()).isTrue();
		assertThat(exports.tryAcquire("customer").isAllowed()).isFalse();
		assertThat(app.bean(RateLimiter.class).tryAcquire("exports", "customer").isAllowed()).isFalse();
		assertThat(exports.tryAcquire("another").isAllowed()).isTrue();
		assertThat(app.get("/actuator/ratelimits/exports?key=customer").body()).contains("\"remaining\":0");
		assertThat(app.get("/actuator/ratelimits/exports").body()).contains("\"allowed\":3,\"rejected\":2");
		assertThat(app.bean(MeterRegistry.class).getMeters())
			.anySatisfy((meter) -> assertThat(meter.getId().getTag("rule")).isEqualTo("exports"));
		assertThat(exports.reset("customer")).isTrue();
		assertThat(exports.tryAcquire("customer").isAllowed()).isTrue();
	}

	@Test
	void aLimiterThatIsMadeLaterSurvivesAReload() throws IOException {
		NamedRateLimiter late = limiters().create(RLConfig.builder("late").key("global").thresholds("2/1h").build());
		assertThat(late.tryAcquire().isAllowed()).isTrue();
		reload("configured: {thresholds: 7/1h}");
		assertThat(app.bean(RateLimiter.class).tryAcquire("configured", "192.0.2.1").quotas().get(0).limit())
			.isEqualTo(7);
		assertThat(late.tryAcquire().isAllowed()).isTrue();
		assertThat(late.tryAcquire().isAllowed()).isFalse();
		assertThat(app.get("/actuator/ratelimits/late").body()).contains("\"allowed\":2,\"rejected\":1");
		assertThat(app.bean(MeterRegistry.class).getMeters())
			.anySatisfy((meter) -> assertThat(meter.getId().getTag("rule")).isEqualTo("late"));
	}

	@Test
	void anIdHasOneTextOnly() {
		assertThat(limiters().of("exports", "2/15m")).isEqualTo(app.bean(Exports.class).limiter);
		assertThatIllegalArgumentException().isThrownBy(() -> limiters().of("exports", "3/15m"))
			.withMessage("There is a rule 'exports' with other settings. Give each limiter an id of its own");
		assertThatIllegalArgumentException().isThrownBy(() -> limiters().of("configured", "3/15m"));
		assertThatIllegalArgumentException().isThrownBy(() -> limiters().of("Not an id", "3/15m"));
		assertThatIllegalArgumentException().isThrownBy(() -> limiters().of("wrong", "3 per hour"));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> limiters().create(RLConfig.builder("web").paths("/web").thresholds("1/1h").build()))
			.withMessageContaining("has paths");
		assertThat(app.get("/actuator/ratelimits/web").statusCode()).isEqualTo(404);
	}

	@Test
	void aConfiguredRuleWithTheIdOfALimiterDoesNotComeIntoForce() throws IOException {
		reload("exports: {thresholds: 5/1h}");
		assertThat(app.get("/actuator/ratelimits").body())
			.contains("is the id of a limiter that was made in code with other settings");
		assertThat(app.bean(Exports.class).limiter.peek("c").quotas().get(0).limit()).isEqualTo(2);
		reload("configured: {thresholds: 7/1h}");
		assertThat(app.get("/actuator/ratelimits").body()).doesNotContain("\"failure\":");
	}

}
