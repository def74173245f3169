package dev.ratelimit.store.memory;

import java.time.Duration;
import java.util.List;

import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.fixture.Patience;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.Refill;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Limits;
import dev.ratelimit.store.PermitId;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.Subject;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The heap does not fill up.
 */
class MemoryStoreMemoryTests {

	private final MovableClock clock = new MovableClock();

	private final MemoryStore store = new MemoryStore(this.clock);

	private int ids;

	@Test
	@DisplayName("3.16 In memory, what no decision needs any more is dropped")
	void idleSubjectsAreDroppedByLaterRequests() {
		Limit limit = Limits.of("idle", "5/2s", "9/60s");
		for (int i = 0; i < 10_000; i++) {
			acquire(limit, "flood-" + i);
		}
		assertThat(this.store.subjects()).isEqualTo(10_000);
		this.clock.advance(Duration.ofSeconds(60));
		for (int i = 0; i < 5_001; i++) {
			acquire(limit, "busy");
		}
		assertThat(this.store.subjects()).isEqualTo(1);
	}

	/** Otherwise requests that another rule refuses would fill the store. */
	@ParameterizedTest
	@CsvSource({ "SLIDING_WINDOW_LOG, CONTINUOUS", "SLIDING_WINDOW_COUNTER, CONTINUOUS", "FIXED_WINDOW, CONTINUOUS",
			"TOKEN_BUCKET, CONTINUOUS", "TOKEN_BUCKET, INTERVAL", "LEAKY_BUCKET, CONTINUOUS" })
	void nothingStaysOfASubjectWhoseLastPermitIsReleased(Algorithm algorithm, Refill refill) {
		Limit limit = Limits.of(RLConfig.builder("released").algorithm(algorithm).refill(refill).thresholds("9/1d"));
		for (int i = 0; i < 100; i++) {
			AcquireRequest request = new AcquireRequest(limit, new Subject("s" + i), 2, new PermitId("p" + i));
			AcquireResult.Admitted admitted = (AcquireResult.Admitted) this.store
				.acquire(List.of(request), Patience.LONG)
				.await()
				.get(0);
			this.store
				.settle(List.of(Settlement.release(new AcquiredPermits(request, admitted.receipts()))), Patience.LONG)
				.await();
		}
		this.store.sweep(200);
		assertThat(this.store.subjects()).isZero();
	}

	@Test
	void subjectsThatMayStillBeRefusedAreKept() {
		Limit limit = Limits.of("kept", "1/60s");
		acquire(limit, "early");
		this.clock.advance(Duration.ofSeconds(59));
		for (int i = 0; i < 100; i++) {
			acquire(limit, "late-" + i);
		}
		assertThat(this.store.subjects()).isEqualTo(101);
		assertThat(acquire(limit, "early")).isInstanceOf(AcquireResult.Refused.class);
	}

	@Test
	void withoutFurtherRequestsASweepDropsIdleSubjectsAFewAtATime() {
		Limit limit = Limits.of("swept", "5/2s");
		for (int i = 0; i < 1000; i++) {
			acquire(limit, "gone-" + i);
		}
		this.clock.advance(Duration.ofSeconds(1));
		acquire(limit, "busy");
		this.store.sweep(10_000);
		assertThat(this.store.subjects()).isEqualTo(1001);
		this.clock.advance(Duration.ofSeconds(1));
		this.store.sweep(600);
		assertThat(this.store.subjects()).isEqualTo(401);
		this.store.sweep(600);
		assertThat(this.store.subjects()).isEqualTo(1);
	}

	@Test
	void anAttackOnOneSubjectStaysWithinTheLargestThreshold() {
		SlidingWindowLog log = new SlidingWindowLog();
		Limit limit = Limits.countingRefusals("attack", "3/2s", "10/60s");
		for (int i = 0; i < 10_000; i++) {
			log.acquire(limit, "p" + i, 1 + i % 3, i);
			assertThat(log.size()).isLessThanOrEqualTo(10);
		}
	}

	private AcquireResult acquire(Limit limit, String subject) {
		return this.store
			.acquire(List.of(new AcquireRequest(limit, new Subject(subject), 1, new PermitId("p" + this.ids++))),
					Patience.LONG)
			.await()
			.get(0);
	}

}
