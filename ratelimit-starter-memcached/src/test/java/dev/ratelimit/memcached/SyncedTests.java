package dev.ratelimit.memcached;

import java.time.Duration;
import java.util.List;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.Inspection;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.Usage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The permits of synced rules, and what operators see of a client.
 */
class SyncedTests {

	private final TestClock clock = new TestClock();

	private MemcachedServer server;

	private MemcachedStore store;

	@BeforeEach
	void open() {
		this.server = MemcachedServer.start();
		this.store = new MemcachedStore(MemcachedServer.connections(this.server.address()).open(), "rl", this.clock,
				(rule, acknowledged) -> {
				});
	}

	@AfterEach
	void close() {
		if (this.store != null) {
			this.store.close();
			this.server.close();
		}
	}

	private long leftAfterCounting(AcquireRequest request, List<Long> receipts) {
		AcquireResult counted = this.store.capabilities()
			.counter()
			.orElseThrow()
			.count(List.of(new AcquiredPermits(request, receipts)), Requests.PATIENCE)
			.get(0);
		return ((AcquireResult.Admitted) counted).usage().get(0).remaining();
	}

	@ParameterizedTest
	@EnumSource(names = { "FIXED_WINDOW", "SLIDING_WINDOW_COUNTER" })
	void permitsAreCountedInTheWindowsOfTheirReceipts(Algorithm algorithm) {
		AcquireRequest request = Requests.request(Requests.synced(algorithm, "s", "10/60s"), "u1", 4);
		AcquireResult.Admitted first = (AcquireResult.Admitted) Requests.acquire(this.store, request);
		assertThat(leftAfterCounting(request, first.receipts())).as("without room for them, too").isEqualTo(2);
		assertThat(leftAfterCounting(request, first.receipts())).isZero();
		this.clock.advance(Duration.ofSeconds(60));
		boolean fixed = algorithm == Algorithm.FIXED_WINDOW;
		assertThat(leftAfterCounting(request, first.receipts())).as("in the next window").isEqualTo(fixed ? 10 : 0);
		this.clock.advance(Duration.ofSeconds(60));
		assertThat(leftAfterCounting(request, first.receipts())).as("when they have passed").isEqualTo(10);
	}

	@ParameterizedTest
	@EnumSource(names = { "FIXED_WINDOW", "SLIDING_WINDOW_COUNTER" })
	void permitsCountNowWhereTheClockHasSteppedBack(Algorithm algorithm) {
		AcquireRequest request = Requests.request(Requests.synced(algorithm, "back", "10/60s"), "u1", 4);
		AcquireResult.Admitted ahead = (AcquireResult.Admitted) Requests.acquire(this.store, request);
		this.clock.advance(Duration.ofMinutes(-1));
		assertThat(leftAfterCounting(request, ahead.receipts())).isEqualTo(6);
	}

	@ParameterizedTest
	@EnumSource(names = { "FIXED_WINDOW", "SLIDING_WINDOW_COUNTER" })
	void anOperatorSeesWhatIsCountedAndResetsIt(Algorithm algorithm) {
		Limit limit = Requests.limit(algorithm, "seen", "3/60s", "9/3600s");
		Requests.acquire(this.store, Requests.request(limit, "u1", 3));
		assertThat(remaining(limit)).containsExactly(0L, 6L);
		assertThat(remaining(limit)).as("seen again").containsExactly(0L, 6L);
		assertThat(
				this.store.capabilities().inspector().orElseThrow().reset(limit, new Subject("u1"), Requests.PATIENCE))
			.isEmpty();
		assertThat(remaining(limit)).containsExactly(3L, 9L);
		assertThat(this.server.keys()).isEmpty();
	}

	private List<Long> remaining(Limit limit) {
		Inspection inspection = this.store.capabilities()
			.inspector()
			.orElseThrow()
			.peek(limit, new Subject("u1"), Requests.PATIENCE);
		return ((Inspection.Found) inspection).usage().stream().map(Usage::remaining).toList();
	}

	@Test
	void nothingIsReleasedToAWindowThatMayHaveEnded() {
		AcquireRequest request = Requests.request(Requests.limit(Algorithm.FIXED_WINDOW, "edge", "5/10s"), "u1", 5);
		AcquireResult admitted = Requests.acquire(this.store, request);
		this.clock.advance(Duration.ofSeconds(10));
		Requests.release(this.store, request, admitted);
		assertThat(Requests.admits(this.store, request)).as("on the clock of the server it goes on").isFalse();
	}

}
