package dev.ratelimit.limiter.source;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimitDecision.Allowed;
import dev.ratelimit.RateLimitDecision.Quota;
import dev.ratelimit.RateLimitDecision.Rejected;
import dev.ratelimit.RateLimitDecision.Source;
import dev.ratelimit.rule.RLWindow;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Limits;
import dev.ratelimit.store.Usage;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

class EstimatedWindowsTests {

	private static final long SECOND_MICROS = 1_000_000;

	private final Limit limit = Limits.of("r", "10/10s", "100/1m");

	private final List<Usage> usage = List.of(new Usage(4, 8 * SECOND_MICROS, 0), new Usage(20, 50 * SECOND_MICROS, 0));

	private final KnownWindows admitted = KnownWindows.admitting(this.limit, this.usage, List.of(7L));

	private final KnownWindows refused = KnownWindows.refused(this.limit,
			List.of(new Usage(0, 8 * SECOND_MICROS, 3 * SECOND_MICROS), new Usage(20, 50 * SECOND_MICROS, 0)));

	private static Optional<Duration> seconds(long seconds) {
		return Optional.of(Duration.ofSeconds(seconds));
	}

	/** Of a log that has permits left, which does not know when it will have more. */
	private static Quota quota(String policy, long limit, Duration window, long remaining, Duration resetAfter) {
		return new Quota(policy, limit, limit, RLWindow.of(window), remaining, resetAfter, seconds(0),
				Optional.empty());
	}

	@Test
	void anAdmissionReportsThePermitsAndTheTimeThatAreLeftByNow() {
		EstimatedWindows later = new EstimatedWindows(this.admitted, -3, 2 * SECOND_MICROS);
		RateLimitDecision decision = later.decision("r", Source.LEASE);
		assertThat(decision).isEqualTo(new Allowed("r", Source.LEASE,
				List.of(quota("r-10s", 10, Duration.ofSeconds(10), 1, Duration.ofSeconds(6)),
						quota("r-1m", 100, Duration.ofMinutes(1), 17, Duration.ofSeconds(48)))));
		assertThat(later.result()).isEqualTo(new AcquireResult.Admitted(
				List.of(new Usage(1, 6 * SECOND_MICROS, 0), new Usage(17, 48 * SECOND_MICROS, 0)), List.of(7L)));
	}

	@Test
	void aRefusalIsRepeatedWithTheWaitThatIsLeft() {
		EstimatedWindows later = new EstimatedWindows(this.refused, 0, SECOND_MICROS);
		RateLimitDecision decision = later.decision("r", Source.MEMORY);
		assertThat(decision).isInstanceOfSatisfying(Rejected.class,
				(rejected) -> assertThat(rejected.retryAfter()).isEqualTo(seconds(2)));
		assertThat(decision.quotas()).extracting(Quota::retryAfter, Quota::moreAfter)
			.containsExactly(tuple(seconds(2), seconds(2)), tuple(seconds(0), Optional.empty()));
		assertThat(later.result()).isInstanceOf(AcquireResult.Refused.class);
	}

	@Test
	void theUsedShareIsThatOfTheQuotas() {
		for (long more : new long[] { -30, -4, -1, 0, 6 }) {
			RateLimitDecision decision = new EstimatedWindows(this.admitted, more, 0).decision("r", Source.MEMORY);
			assertThat(decision.usedShare()).as("%d more", more)
				.isEqualTo(new Allowed("r", Source.MEMORY, List.copyOf(decision.quotas())).usedShare());
		}
		assertThat(new Allowed("r", Source.STORE, this.admitted).usedShare()).isEqualTo(0.8);
	}

	@Test
	void anAdmissionThatNothingHasChangedIsThatOfTheStore() {
		assertThat(new EstimatedWindows(this.admitted, 0, 0)).isEqualTo(this.admitted);
		assertThat(new EstimatedWindows(this.refused, 0, 0)).isEqualTo(this.refused);
	}

}
