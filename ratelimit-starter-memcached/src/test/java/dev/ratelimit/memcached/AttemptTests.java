package dev.ratelimit.memcached;

import java.util.List;

import dev.ratelimit.memcached.meta.MetaReply;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.RLThreshold;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.Fate;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.wire.ErrorReply;
import dev.ratelimit.store.wire.NodeCall;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/**
 * What a request does with replies that are no counts.
 */
class AttemptTests {

	private static final AcquireRequest REQUEST = Requests
		.request(Requests.limit(Algorithm.FIXED_WINDOW, "two", "5/60s", "9/3600s"), "u1", 2);

	private final Attempt attempt = attempt(REQUEST);

	private static Attempt attempt(AcquireRequest request) {
		return Attempt.of(request, ClientWindows.of("rl:two:u1", request.limit(), 1_000_000));
	}

	@Test
	void whatOneWindowCountedIsReleasedIfTheOtherCouldNotCount() {
		MetaReply outOfMemory = new MetaReply.NotRun(
				new ErrorReply(StoreFailure.UNAVAILABLE, false, false, false, new IllegalStateException()));
		Attempt.Decision decision = this.attempt
			.decision(new NodeCall.Replied(List.of(new MetaReply.Count(2, 61), outOfMemory)));
		assertThat(decision.result()).isEqualTo(new AcquireResult.Failed(StoreFailure.UNAVAILABLE, Fate.NOT_TAKEN));
		assertThat(decision.toRelease())
			.contains(new AcquiredPermits(REQUEST, List.of(61_000_000L, Window.NOT_COUNTED)));
	}

	@Test
	void repliesThatFitNoCommandsLeaveTheFateUnknown() {
		for (Object reply : List.of("?", List.of(), List.of(new MetaReply.Count(1, 61)))) {
			Attempt.Decision decision = this.attempt.decision(new NodeCall.Replied(reply));
			assertThat(decision.result()).isEqualTo(new AcquireResult.Failed(StoreFailure.ERROR, Fate.UNKNOWN));
			assertThat(decision.toRelease()).isEmpty();
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "FIXED_WINDOW", "SLIDING_WINDOW_COUNTER" })
	void aWindowThatReportsNoCountAdmitsNothing(Algorithm algorithm) {
		AcquireRequest request = Requests.request(Requests.limit(algorithm, "one", "5/60s"), "u1", 2);
		Attempt one = attempt(request);
		for (MetaReply reply : List.of(new MetaReply.NotFound(), new MetaReply.Done())) {
			List<MetaReply> replies = (algorithm == Algorithm.FIXED_WINDOW) ? List.of(reply)
					: List.of(new MetaReply.NotFound(), reply);
			Attempt.Decision decision = one.decision(new NodeCall.Replied(replies));
			assertThat(decision.result()).isEqualTo(new AcquireResult.Failed(StoreFailure.ERROR, Fate.UNKNOWN));
			assertThat(decision.toRelease()).contains(new AcquiredPermits(request, List.of(Window.NOT_COUNTED)));
		}
	}

	@Test
	void twoOfTheLargestCountsLeaveNoRoom() {
		MetaReply largest = new MetaReply.Count(MetaReply.Count.LARGEST, 61);
		for (String threshold : List.of("1/60s", RLThreshold.MAX_THRESHOLD + "/60s")) {
			AcquireRequest request = Requests
				.request(Requests.limit(Algorithm.SLIDING_WINDOW_COUNTER, "big", threshold), "u1", 1);
			assertThat(attempt(request).decision(new NodeCall.Replied(List.of(largest, largest))).result())
				.isInstanceOf(AcquireResult.Refused.class);
		}
	}

	@Test
	void aRefusalReportsWhatIsLeftWithoutItsOwnCost() {
		Attempt.Decision decision = this.attempt
			.decision(new NodeCall.Replied(List.of(new MetaReply.Count(6, 31), new MetaReply.Count(7, 3601))));
		AcquireResult.Refused refused = (AcquireResult.Refused) decision.result();
		assertThat(refused.usage()).extracting("remaining", "resetMicros", "retryMicros")
			.containsExactly(tuple(1L, 31_000_000L, 31_000_000L), tuple(4L, 3_601_000_000L, 0L));
		assertThat(decision.toRelease()).isPresent();
	}

}
