package dev.ratelimit.store.memory;

import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Sequence;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The oracle itself, against the definition: a list of all that was counted, searched
 * from end to end.
 */
class SlidingWindowLogTests {

	@Property(tries = 2000, edgeCases = EdgeCasesMode.NONE)
	void admitsExactlyWhatFitsIntoEveryWindow(@ForAll("sequences") Sequence sequence) {
		Limit limit = sequence.limit();
		SlidingWindowLog log = new SlidingWindowLog();
		List<Counted> counted = new ArrayList<>();
		long now = 1_000_000_000;
		int place = 0;
		for (Sequence.Step step : sequence.steps()) {
			now += step.advanceMicros();
			// Every request has an id of its own here.
			AcquireResult result = log.acquire(limit, "p" + place++, step.cost(), now);
			boolean fits = fits(limit, counted, step.cost(), now);
			assertThat(result instanceof AcquireResult.Admitted).as("admitted at " + now).isEqualTo(fits);
			if (fits || limit.countRejected()) {
				counted.add(new Counted(now, step.cost()));
			}
			assertThat(log.size()).isLessThanOrEqualTo((int) limit.mostKept());
		}
	}

	@Provide
	Arbitrary<Sequence> sequences() {
		return Sequence.forward();
	}

	private static boolean fits(Limit limit, List<Counted> counted, long cost, long now) {
		for (int i = 0; i < limit.size(); i++) {
			long start = now - limit.windowMicros(i);
			long used = counted.stream().filter((entry) -> entry.micros() > start).mapToLong(Counted::cost).sum();
			if (used + cost > limit.count(i)) {
				return false;
			}
		}
		return true;
	}

	private record Counted(long micros, long cost) {
	}

}
