package dev.ratelimit.store.memory;

import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Refill;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.BucketSequences;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Sequence;
import dev.ratelimit.store.Usage;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Refill by interval against the definition: the history is replayed from its beginning,
 * without the permits that were released.
 */
class IntervalModelTests {

	@Property(tries = 4000, edgeCases = EdgeCasesMode.NONE)
	void decidesAsIfReleasedPermitsHadNeverBeenTaken(@ForAll("forward") Sequence sequence) {
		Limit limit = sequence.limit();
		SubjectState bucket = new CountedWindows<>(IntervalBucket.UNUSED);
		List<Event> events = new ArrayList<>();
		long now = 1_000_000_000;
		for (Sequence.Step step : sequence.steps()) {
			now += step.advanceMicros();
			if (!step.release()) {
				acquire(limit, bucket, events, step.cost(), now);
			}
			else if (!events.isEmpty()) {
				Event event = events.remove(step.id() % events.size());
				assertThat(bucket.release(limit, "p", event.cost(), event.receipts())).isTrue();
				if (event.receipts().stream().anyMatch((receipt) -> receipt % 2 == 1)) {
					assertEndsNoEarlier(limit, bucket, events, now);
					return;
				}
			}
			assertThat(probe(limit, bucket, now)).isEqualTo(usages(limit, events, now));
		}
	}

	@Provide
	Arbitrary<Sequence> forward() {
		return BucketSequences.forward(Algorithm.TOKEN_BUCKET, Refill.INTERVAL);
	}

	private static void acquire(Limit limit, SubjectState bucket, List<Event> events, long cost, long now) {
		List<Usage> before = usages(limit, events, now);
		boolean fits = before.stream().allMatch((usage) -> cost <= usage.remaining());
		AcquireResult result = bucket.acquire(limit, "p", cost, now);
		assertThat(result instanceof AcquireResult.Admitted).isEqualTo(fits);
		if (result instanceof AcquireResult.Admitted admitted) {
			events.add(new Event(now, cost, admitted.receipts()));
			return;
		}
		List<Usage> refusing = ((AcquireResult.Refused) result).usage().stream().filter(Usage::refuses).toList();
		assertThat(refusing).isNotEmpty()
			.allMatch((usage) -> usage.retryMicros() == Usage.NEVER || usage.retryMicros() == usage.resetMicros());
	}

	/** The request that began an interval is gone: intervals may begin otherwise now. */
	private static void assertEndsNoEarlier(Limit limit, SubjectState bucket, List<Event> events, long now) {
		List<Usage> usages = probe(limit, bucket, now);
		List<Usage> model = usages(limit, events, now);
		for (int i = 0; i < limit.size(); i++) {
			boolean sameInterval = limit.capacity(i) - model.get(i).remaining() == limit.capacity(i)
					- usages.get(i).remaining();
			if (sameInterval) {
				assertThat(usages.get(i).resetMicros()).isGreaterThanOrEqualTo(model.get(i).resetMicros());
			}
		}
	}

	private static List<Usage> probe(Limit limit, SubjectState bucket, long now) {
		return ((AcquireResult.Refused) bucket.acquire(limit, "probe", Long.MAX_VALUE, now)).usage();
	}

	private static List<Usage> usages(Limit limit, List<Event> events, long now) {
		List<Usage> usages = new ArrayList<>();
		for (int i = 0; i < limit.size(); i++) {
			long end = 0;
			long taken = 0;
			for (Event event : events) {
				if (event.micros() >= end) {
					end = event.micros() + limit.windowMicros(i);
					taken = 0;
				}
				taken += event.cost();
			}
			boolean over = now >= end;
			usages.add(new Usage(limit.capacity(i) - (over ? 0 : taken), over ? 0 : end - now, Usage.NEVER));
		}
		return usages;
	}

	/**
	 * Something that was admitted.
	 *
	 * @param micros when
	 * @param cost how much
	 * @param receipts what the bucket returned
	 */
	private record Event(long micros, long cost, List<Long> receipts) {
	}

}
