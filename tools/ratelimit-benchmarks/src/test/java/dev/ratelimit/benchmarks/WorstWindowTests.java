package dev.ratelimit.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * What the limiters admit of one recorded load in the worst window of its limit.
 */
class WorstWindowTests {

	private static final int LIMIT = (int) WorstWindow.QUOTA.permits();

	@ParameterizedTest
	@CsvSource({ "'bucket4j, refillGreedy'", "'bucket4j, refillIntervally'", "Guava RateLimiter",
			"Resilience4j RateLimiter" })
	@DisplayName("4.12 Peers overflow the limit in a window's time, and the log does not")
	void peersOverflowTheLimitAndTheLogDoesNot(String peer) {
		assertThat(worst("ratelimit-starter, sliding-window-log")).isEqualTo(LIMIT);
		assertThat(worst(peer)).isBetween(2 * LIMIT - 1, 2 * LIMIT);
	}

	private static int worst(String title) {
		ClockedPeer peer = ClockedPeer.all()
			.stream()
			.filter((some) -> some.title().equals(title))
			.findFirst()
			.orElseThrow();
		return RecordedLoad.mostWithin(WorstWindow.QUOTA.window(),
				RecordedLoad.read().admittedBy(peer, WorstWindow.QUOTA));
	}

	@Test
	void thePageHasTheTableThatTheCommandMakes() throws IOException {
		assertThat(Files.readString(Path.of("../../docs/benchmarks.md"))).contains(WorstWindow.table());
	}

	@Test
	void aRequestAWholeWindowLaterIsOutside() {
		assertThat(RecordedLoad.mostWithin(Duration.ofSeconds(1), List.of(0L, 1L, 1_000_000L, 1_000_000L)))
			.isEqualTo(3);
		assertThat(RecordedLoad.mostWithin(Duration.ofSeconds(1), List.of())).isZero();
	}

	@Test
	void aLoadIsInOrder() {
		assertThatIllegalArgumentException().isThrownBy(() -> new RecordedLoad(List.of(2L, 1L)))
			.withMessage("Request 1 at 1 us is earlier than the one before it");
	}

}
