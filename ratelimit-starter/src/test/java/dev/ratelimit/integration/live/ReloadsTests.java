package dev.ratelimit.integration.live;

import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A hundred changes of the rules under load, none of which is ever seen half applied.
 */
@EnabledOnOs(OS.LINUX)
class ReloadsTests {

	@TempDir
	Path directory;

	@Test
	void rulesChangeAsAWholeWithoutAGapAndLeaveNothingBehind() {
		try (ReloadRound round = new ReloadRound(this.directory)) {
			round.reload(10);
			ReloadRound.Footprint before = round.footprint();
			List<WeakReference<?>> first = round.inForce();
			round.reload(100);
			assertThat(round.unexplained()).isEmpty();
			assertThat(round.setsSeen()).isEqualTo(2);
			assertThat(before.threads()).contains("ratelimit-rules");
			round.footprint().assertHasNotGrown(before);
			Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> {
				System.gc();
				return first.stream().allMatch((reference) -> reference.get() == null);
			});
		}
	}

}
