package dev.ratelimit.store.memory;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Rounding;
import dev.ratelimit.store.AcquireResult;
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
 * The oracles of the counters themselves, against the definitions: a list of all that was
 * taken and not released, searched from end to end, and fractions of whole numbers.
 */
class CounterDefinitionTests {

	private final List<Permits> taken = new ArrayList<>();

	@Property(tries = 3000, edgeCases = EdgeCasesMode.NONE)
	void decidesExactlyAsTheDefinition(@ForAll("sequences") Sequence sequence) {
		Limit limit = sequence.limit();
		SubjectState state = SubjectState.of(limit);
		long now = 1_795_166_420_000_000L;
		this.taken.clear();
		for (Sequence.Step step : sequence.steps()) {
			now += step.advanceMicros();
			if (step.release() && !this.taken.isEmpty()) {
				Permits permits = this.taken.remove(step.id() % this.taken.size());
				assertThat(state.release(limit, "p", permits.cost(), permits.receipts())).isTrue();
			}
			else {
				AcquireResult result = state.acquire(limit, "p", step.cost(), now);
				assertResult(result, limit, step.cost(), now);
			}
		}
	}

	@Provide
	Arbitrary<Sequence> sequences() {
		Arbitrary<Algorithm> algorithms = Arbitraries.of(Algorithm.FIXED_WINDOW, Algorithm.SLIDING_WINDOW_COUNTER);
		return Arbitraries.oneOf(algorithms.flatMap(CounterSequences::forward),
				algorithms.flatMap(CounterSequences::ofTrillions));
	}

	private void assertResult(AcquireResult result, Limit limit, long cost, long now) {
		boolean fits = true;
		for (int i = 0; i < limit.size(); i++) {
			fits &= fits(limit, i, cost, now);
		}
		assertThat(result instanceof AcquireResult.Admitted).as("admitted at " + now).isEqualTo(fits);
		List<Usage> usage = (result instanceof AcquireResult.Refused refused) ? refused.usage() : List.of();
		for (int i = 0; i < usage.size(); i++) {
			assertWait(usage.get(i), limit, i, cost, now);
		}
		if (result instanceof AcquireResult.Admitted admitted) {
			usage = admitted.usage();
			this.taken.add(new Permits(now, cost, admitted.receipts()));
		}
		for (int i = 0; i < usage.size(); i++) {
			assertThat(usage.get(i).remaining()).as("remaining at " + now)
				.isEqualTo(Math.max(0, limit.count(i) - used(limit, i, now)));
			assertThat(used(limit, i, now + usage.get(i).resetMicros())).as("used after the reset").isZero();
		}
	}

	/** There is room after the reported wait, and not a microsecond earlier. */
	private void assertWait(Usage usage, Limit limit, int index, long cost, long now) {
		if (cost > limit.count(index)) {
			assertThat(usage.retryMicros()).isEqualTo(Usage.NEVER);
		}
		else if (fits(limit, index, cost, now)) {
			assertThat(usage.retryMicros()).isZero();
		}
		else {
			assertThat(fits(limit, index, cost, now + usage.retryMicros())).as("after the wait").isTrue();
			assertThat(fits(limit, index, cost, now + usage.retryMicros() - 1)).as("just before").isFalse();
		}
	}

	private boolean fits(Limit limit, int index, long cost, long now) {
		return cost <= limit.count(index) - used(limit, index, now);
	}

	private long used(Limit limit, int index, long now) {
		long window = limit.windowMicros(index);
		long current = takenIn(now / window, window);
		if (limit.algorithm() == Algorithm.FIXED_WINDOW) {
			return current;
		}
		BigInteger[] shareAndRest = BigInteger.valueOf(takenIn(now / window - 1, window))
			.multiply(BigInteger.valueOf(window - now % window))
			.divideAndRemainder(BigInteger.valueOf(window));
		boolean up = limit.rounding() == Rounding.UP && shareAndRest[1].signum() > 0;
		return current + shareAndRest[0].longValueExact() + (up ? 1 : 0);
	}

	private long takenIn(long windowIndex, long window) {
		return this.taken.stream()
			.filter((permits) -> permits.micros() / window == windowIndex)
			.mapToLong(Permits::cost)
			.sum();
	}

	private record Permits(long micros, long cost, List<Long> receipts) {
	}

}
