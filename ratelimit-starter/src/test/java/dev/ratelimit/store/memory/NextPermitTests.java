package dev.ratelimit.store.memory;

import java.util.List;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Refill;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.BucketSequences;
import dev.ratelimit.store.CounterSequences;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Sequence;
import dev.ratelimit.store.Usage;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * When a window that admitted a request has more permits again: it has more at that time,
 * and not just before.
 */
class NextPermitTests {

	private static final long START = 1_000_000_000_000L;

	@Property(tries = 1000, edgeCases = EdgeCasesMode.NONE)
	void isThereAtThatTimeAndNotBefore(@ForAll("histories") Sequence sequence) {
		replay(sequence);
	}

	@Property(tries = 1000, edgeCases = EdgeCasesMode.NONE)
	void isThereWhereNumbersAreLarge(@ForAll("large") Sequence sequence) {
		replay(sequence);
	}

	@Provide
	Arbitrary<Sequence> histories() {
		return Arbitraries.oneOf(Sequence.forward(), CounterSequences.forward(Algorithm.FIXED_WINDOW),
				CounterSequences.forward(Algorithm.SLIDING_WINDOW_COUNTER),
				BucketSequences.forward(Algorithm.TOKEN_BUCKET, Refill.CONTINUOUS),
				BucketSequences.forward(Algorithm.TOKEN_BUCKET, Refill.INTERVAL),
				BucketSequences.forward(Algorithm.LEAKY_BUCKET, Refill.CONTINUOUS));
	}

	@Provide
	Arbitrary<Sequence> large() {
		return Arbitraries.oneOf(BucketSequences.large(Algorithm.TOKEN_BUCKET),
				BucketSequences.large(Algorithm.LEAKY_BUCKET),
				CounterSequences.ofTrillions(Algorithm.SLIDING_WINDOW_COUNTER));
	}

	private static void replay(Sequence sequence) {
		Limit limit = sequence.limit();
		SubjectState state = SubjectState.of(limit);
		long now = START;
		int requests = 0;
		for (Sequence.Step step : sequence.steps()) {
			now += step.advanceMicros();
			requests++;
			if (state.acquire(limit, "p" + requests, step.cost(), now) instanceof AcquireResult.Admitted admitted) {
				check(limit, state, admitted.usage(), now);
			}
		}
	}

	private static void check(Limit limit, SubjectState state, List<Usage> usage, long now) {
		for (int i = 0; i < limit.size(); i++) {
			long remaining = usage.get(i).remaining();
			long next = limit.nextPermitMicros(i, usage.get(i));
			if (next == 0) {
				assertThat(limit.algorithm()).isEqualTo(Algorithm.SLIDING_WINDOW_LOG);
				assertThat(remaining).isPositive();
			}
			else {
				assertThat(state.peek(limit, now + next).get(i).remaining()).as("after " + next)
					.isGreaterThan(remaining);
				if (limit.algorithm() != Algorithm.SLIDING_WINDOW_COUNTER && next > 3) {
					assertThat(state.peek(limit, now + next - 3).get(i).remaining()).as("just before " + next)
						.isEqualTo(remaining);
				}
			}
		}
	}

}
