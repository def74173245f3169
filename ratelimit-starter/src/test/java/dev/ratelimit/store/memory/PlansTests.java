package dev.ratelimit.store.memory;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.PlanSequences;
import dev.ratelimit.store.Sequence;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A client that uses several plans in turn: each plan decides as if only its own requests
 * had arrived, and where plans share what is counted, no more is admitted.
 */
class PlansTests {

	private static final long START = 1_000_000_000_000L;

	@Property(tries = 2000, edgeCases = EdgeCasesMode.NONE)
	void plansOfOtherWindowsDoNotResetEachOther(@ForAll("otherWindows") Sequence sequence) {
		SubjectState mixed = SubjectState.of(sequence.limit());
		Map<Limit, SubjectState> alone = new HashMap<>();
		long now = START;
		int requests = 0;
		for (Sequence.Step step : sequence.steps()) {
			now += step.advanceMicros();
			requests++;
			Limit limit = sequence.limit(step);
			AcquireResult result = mixed.acquire(limit, "p" + requests, step.cost(), now);
			SubjectState own = alone.computeIfAbsent(limit, SubjectState::of);
			if (limit.algorithm() != Algorithm.SLIDING_WINDOW_LOG) {
				assertThat(usage(result)).isEqualTo(usage(own.acquire(limit, "p" + requests, step.cost(), now)));
			}
			else if (result instanceof AcquireResult.Admitted) {
				assertThat(own.acquire(limit, "p" + requests, step.cost(), now))
					.isInstanceOf(AcquireResult.Admitted.class);
			}
		}
	}

	/** A log decides by what it holds as if it dropped nothing. */
	@Property(tries = 2000, edgeCases = EdgeCasesMode.NONE)
	void noWindowOfALogHoldsMoreThanItsPlanAdmits(@ForAll("anyWindows") Sequence sequence) {
		if (sequence.limit().algorithm() == Algorithm.SLIDING_WINDOW_LOG && !sequence.limit().countRejected()) {
			SubjectState mixed = SubjectState.of(sequence.limit());
			Map<Limit, List<Long>> admitted = new HashMap<>();
			long now = START;
			int requests = 0;
			for (Sequence.Step step : sequence.steps()) {
				now += step.advanceMicros();
				requests++;
				Limit limit = sequence.limit(step);
				if (mixed.acquire(limit, "p" + requests, step.cost(), now) instanceof AcquireResult.Admitted) {
					List<Long> own = admitted.computeIfAbsent(limit, (any) -> new ArrayList<>());
					for (long i = 0; i < step.cost(); i++) {
						own.add(now);
					}
					for (int i = 0; i < limit.size(); i++) {
						long since = now - limit.windowMicros(i);
						assertThat(own.stream().filter((time) -> time > since).count())
							.isLessThanOrEqualTo(limit.count(i));
					}
				}
			}
		}
	}

	private static Object usage(AcquireResult result) {
		return (result instanceof AcquireResult.Admitted admitted) ? admitted.usage() : result;
	}

	@Provide
	Arbitrary<Sequence> otherWindows() {
		return PlanSequences.ofOtherWindows();
	}

	@Provide
	Arbitrary<Sequence> anyWindows() {
		return PlanSequences.ofAnyWindows(false);
	}

}
