package dev.ratelimit.metrics;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.limiter.health.StoreListener.CallResult;
import dev.ratelimit.limiter.remote.Breakers;
import dev.ratelimit.store.StoreFailure;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class MicrometerStoreListenerTests {

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	private long shared;

	private final MicrometerStoreListener listener = new MicrometerStoreListener("redis",
			new Breakers(5, Duration.ofSeconds(1), Duration.ofMillis(250), new MovableClock()::nanoTime),
			() -> this.shared, this.registry);

	@Test
	void timesCallsByTheirOutcome() {
		this.listener.called(CallResult.SUCCESS, 1_000_000);
		this.listener.called(CallResult.TIMEOUT, 50_000_000);
		this.listener.called(CallResult.TIMEOUT, 51_000_000);
		assertThat(calls("success").totalTime(TimeUnit.MILLISECONDS)).isEqualTo(1);
		assertThat(calls("timeout").count()).isEqualTo(2);
		assertThat(calls("timeout").totalTime(TimeUnit.MILLISECONDS)).isEqualTo(101);
		assertThat(calls("error").count()).isZero();
	}

	private Timer calls(String outcome) {
		return this.registry.get("ratelimit.store.calls").tags("store", "redis", "outcome", outcome).timer();
	}

	@Test
	void countsUnansweredRequestsByTheirReason() {
		this.listener.unanswered(StoreFailure.NOT_PERMITTED);
		this.listener.unanswered(StoreFailure.CIRCUIT_OPEN);
		this.listener.unanswered(StoreFailure.CIRCUIT_OPEN);
		assertThat(failures("not_permitted")).isEqualTo(1);
		assertThat(failures("circuit_open")).isEqualTo(2);
		assertThat(failures("timeout")).isZero();
	}

	private double failures(String reason) {
		return this.registry.get("ratelimit.store.failures").tags("store", "redis", "reason", reason).counter().count();
	}

	@Test
	void countsDecisionsOfClientsThatShareABucket() {
		this.shared = 7;
		assertThat(this.registry.get("ratelimit.memory.shared").functionCounter().count()).isEqualTo(7);
	}

	@Test
	void theMetersAreFixedAndNameNoNode() {
		List<Meter.Id> before = this.registry.getMeters().stream().map(Meter::getId).toList();
		for (StoreFailure failure : StoreFailure.values()) {
			this.listener.unanswered(failure);
		}
		assertThat(this.registry.getMeters()).extracting(Meter::getId).containsExactlyInAnyOrderElementsOf(before);
		assertThat(before).extracting(Meter.Id::getName)
			.containsOnly("ratelimit.store.calls", "ratelimit.store.failures", "ratelimit.store.circuit",
					"ratelimit.memory.shared");
		assertThat(before).flatExtracting(Meter.Id::getTags)
			.extracting(Tag::getValue)
			.containsOnly("redis", "success", "timeout", "error", "unreachable", "exhausted", "overloaded",
					"unavailable", "not_permitted", "circuit_open", "open", "closed");
	}

}
