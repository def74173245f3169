package dev.ratelimit.actuate;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.fixture.Watches;
import dev.ratelimit.limiter.health.StoreWatch;
import dev.ratelimit.limiter.instances.Instances;
import dev.ratelimit.limiter.remote.Breakers;
import dev.ratelimit.spi.HealthDetails;
import dev.ratelimit.store.StoreFailure;
import org.junit.jupiter.api.Test;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

import static org.assertj.core.api.Assertions.assertThat;

class RateLimitHealthIndicatorTests {

	private final MovableClock clock = new MovableClock();

	private final StoreWatch watch = Watches.quiet(this.clock::nanoTime);

	private final List<String> warnings = new ArrayList<>();

	private List<HealthDetails> details = List.of();

	private final RateLimitHealthIndicator indicator = new RateLimitHealthIndicator("the store", this.watch,
			new Breakers(5, Duration.ofSeconds(1), Duration.ofMillis(250), this.clock::nanoTime),
			new Instances(Optional.empty(), OptionalInt.of(3), () -> "a"), () -> this.warnings, () -> this.details);

	private Health health() {
		return this.indicator.health();
	}

	@Test
	void modulesAddDetails() {
		this.details = List.of(() -> Map.of("dataCenters", Map.of("b", "exchanging")), () -> Map.of("depth", 3));
		assertThat(health().getStatus()).isEqualTo(Status.UP);
		assertThat(health().getDetails()).containsEntry("dataCenters", Map.of("b", "exchanging"))
			.containsEntry("depth", 3);
	}

	@Test
	void isUpWhileTheStoreAnswers() {
		assertThat(health().getStatus()).isEqualTo(Status.UP);
		assertThat(health().getDetails()).containsEntry("store", "the store")
			.containsEntry("state", "answering")
			.containsEntry("instances", 3)
			.doesNotContainKeys("reason", "warnings");
	}

	@Test
	void warningsAboutTheSettingsAreADetail() {
		this.warnings.add("Rule 'a' is odd.");
		assertThat(health().getStatus()).isEqualTo(Status.UP);
		assertThat(health().getDetails()).containsEntry("warnings", List.of("Rule 'a' is odd."));
	}

	@Test
	void failuresOfTheStoreAreADetail() {
		this.watch.unanswered(StoreFailure.TIMEOUT);
		this.watch.unanswered(StoreFailure.CIRCUIT_OPEN);
		assertThat(health().getStatus()).isEqualTo(Status.UP);
		assertThat(health().getDetails()).containsEntry("state", "degraded")
			.containsEntry("reason", "timeout")
			.containsEntry("unanswered", 2L)
			.containsEntry("openCircuits", "0 of 0");
	}

	@Test
	void isDownWhileCredentialsOrRightsHaveToBeFixed() {
		this.watch.unanswered(StoreFailure.NOT_PERMITTED);
		assertThat(health().getStatus()).isEqualTo(Status.DOWN);
		assertThat(health().getDetails()).containsEntry("reason", "not_permitted");
		this.clock.advance(Duration.ofSeconds(10));
		this.watch.answered();
		this.watch.report();
		assertThat(health().getStatus()).isEqualTo(Status.UP);
	}

}
