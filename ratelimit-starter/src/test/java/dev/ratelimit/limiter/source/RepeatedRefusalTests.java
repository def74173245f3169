package dev.ratelimit.limiter.source;

import java.time.Duration;
import java.util.List;

import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquireResult.Refused;
import dev.ratelimit.store.Limits;
import dev.ratelimit.store.Usage;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RepeatedRefusalTests {

	private static final long SECOND_NANOS = Duration.ofSeconds(1).toNanos();

	private final RepeatedRefusal refusal = new RepeatedRefusal(1,
			KnownWindows.refused(Limits.of("r", "1/10s", "1/1m"),
					List.of(new Usage(0, 9_000_000, 2_000_000), new Usage(0, 5_000_000, 1_000_000))),
			2_000_000, 0, 10 * SECOND_NANOS);

	private List<Usage> usageAfter(long seconds) {
		AcquireResult again = this.refusal.again(seconds * SECOND_NANOS).result();
		return ((Refused) again).usage();
	}

	@Test
	void itsWindowsAge() {
		assertThat(usageAfter(1)).containsExactly(new Usage(0, 8_000_000, 1_000_000), new Usage(0, 4_000_000, 0));
	}

	@Test
	void repeatedForLongerThanTheWaitItsLastWindowStillRefuses() {
		assertThat(usageAfter(8)).extracting(Usage::retryMicros).containsExactly(1L, 0L);
	}

}
