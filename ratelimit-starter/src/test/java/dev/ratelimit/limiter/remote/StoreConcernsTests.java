package dev.ratelimit.limiter.remote;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class StoreConcernsTests {

	@Test
	void theStoreIsQueriedUntilItRepliesAndIsQuotedOnce(CapturedOutput output) {
		Deque<Optional<List<String>>> results = new ArrayDeque<>(
				List.of(Optional.empty(), Optional.of(List.of("It forgets.")), Optional.of(List.of("It lies."))));
		StoreConcerns concerns = new StoreConcerns(results::remove);
		concerns.look();
		assertThat(concerns.known()).isEmpty();
		concerns.look();
		concerns.look();
		assertThat(concerns.known()).contains(List.of("It forgets."));
		assertThat(output).containsOnlyOnce("It forgets.").doesNotContain("It lies.");
	}

}
