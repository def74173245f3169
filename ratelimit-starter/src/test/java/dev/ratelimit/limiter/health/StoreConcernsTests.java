package dev.ratelimit.limiter.health;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class StoreConcernsTests {

	private final AtomicLong nanoTime = new AtomicLong(Long.MAX_VALUE);

	private StoreConcerns concerns(List<Optional<List<String>>> replies) {
		return new StoreConcerns(new ArrayDeque<>(replies)::remove, this.nanoTime::get);
	}

	private void pass(long seconds) {
		this.nanoTime.addAndGet(Duration.ofSeconds(seconds).toNanos());
	}

	@Test
	void theStoreIsQueriedUntilItRepliesAndIsQuotedOnce(CapturedOutput output) {
		StoreConcerns concerns = concerns(
				List.of(Optional.empty(), Optional.of(List.of("It forgets.")), Optional.of(List.of("It lies."))));
		concerns.refresh();
		assertThat(concerns.known()).isEmpty();
		concerns.refresh();
		pass(59);
		concerns.refresh();
		assertThat(concerns.known()).contains(List.of("It forgets."));
		assertThat(output).containsOnlyOnce("It forgets.").doesNotContain("It lies.");
	}

	@Test
	void aMinuteLaterItIsQueriedAgainAndOnlyWhatIsNewIsLogged(CapturedOutput output) {
		StoreConcerns concerns = concerns(List.of(Optional.of(List.of()), Optional.of(List.of("It forgets.")),
				Optional.of(List.of("It lies.", "It forgets.")), Optional.of(List.of())));
		concerns.refresh();
		assertThat(concerns.known()).contains(List.of());
		pass(60);
		concerns.refresh();
		assertThat(concerns.known()).contains(List.of("It forgets."));
		pass(60);
		concerns.refresh();
		assertThat(concerns.known()).contains(List.of("It lies.", "It forgets."));
		pass(60);
		concerns.refresh();
		assertThat(concerns.known()).contains(List.of());
		assertThat(output).containsOnlyOnce("It forgets.").containsOnlyOnce("It lies.");
	}

	/** It is queried again a minute later, not at each look. */
	@Test
	void whatItReportedStandsWhileItDoesNotReply() {
		StoreConcerns concerns = concerns(List.of(Optional.of(List.of("It forgets.")), Optional.empty()));
		concerns.refresh();
		pass(60);
		concerns.refresh();
		pass(59);
		concerns.refresh();
		assertThat(concerns.known()).contains(List.of("It forgets."));
	}

}
