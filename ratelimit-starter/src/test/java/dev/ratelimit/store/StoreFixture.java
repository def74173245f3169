package dev.ratelimit.store;

import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.fixture.Patience;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A store on a clock that the test moves, and a subject that is new to it.
 */
abstract class StoreFixture {

	private static final AtomicInteger SUBJECTS = new AtomicInteger();

	protected final MovableClock clock = new MovableClock();

	final Subject subject = new Subject("s-" + SUBJECTS.incrementAndGet());

	private final AtomicInteger ids = new AtomicInteger();

	RateLimitStore store;

	protected abstract RateLimitStore open(InstantSource clock);

	@BeforeEach
	void openStore() {
		this.store = open(this.clock);
	}

	@AfterEach
	void closeStore() {
		this.store.close();
	}

	protected AcquireResult acquire(Limit limit) {
		return acquire(limit, 1);
	}

	AcquireResult acquire(Limit limit, long cost) {
		return acquire(request(limit, "p" + this.ids.incrementAndGet(), cost));
	}

	AcquireResult acquire(AcquireRequest request) {
		List<AcquireResult> results = this.store.acquire(List.of(request), Patience.LONG).await();
		assertThat(results).hasSize(1);
		return results.get(0);
	}

	boolean release(AcquireRequest request) {
		return this.store.release(List.of(new AcquiredPermits(request)), Patience.LONG)
			.await()
			.get(0) == ReleaseResult.ACKNOWLEDGED;
	}

	AcquireRequest request(Limit limit, String id, long cost) {
		return new AcquireRequest(limit, this.subject, cost, new PermitId(id));
	}

	static AcquireResult admitted(Usage... usage) {
		return new AcquireResult.Admitted(List.of(usage));
	}

	static AcquireResult refused(Usage... usage) {
		return new AcquireResult.Refused(List.of(usage));
	}

	static Usage usage(long remaining, long resetMicros, long retryMicros) {
		return new Usage(remaining, resetMicros, retryMicros);
	}

	/** A log that has granted its last permit. */
	static Usage usedUp(long resetMicros, long nextMicros) {
		return new Usage(0, resetMicros, 0, nextMicros);
	}

}
