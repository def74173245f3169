package dev.ratelimit.store.redis;

import java.util.EnumMap;
import java.util.Map;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.store.CounterSequences;
import dev.ratelimit.store.Sequence;
import dev.ratelimit.support.PropertyRuns;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.AfterProperty;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Random histories of counters: more than 10,000 steps of each algorithm, in which the
 * Lua returns the same whole results as its twin, receipts included.
 */
class CounterOracleTests {

	private static final Map<Algorithm, Integer> STEPS = new EnumMap<>(Algorithm.class);

	@Property(tries = 700, edgeCases = EdgeCasesMode.NONE)
	void theScriptAgreesWithItsTwin(@ForAll("forward") Sequence sequence) {
		assertAgreement(sequence);
	}

	@Property(tries = 700, edgeCases = EdgeCasesMode.NONE)
	void theScriptAgreesWithItsTwinWhereTheClockStepsBack(@ForAll("withStepsBack") Sequence sequence) {
		assertAgreement(sequence);
	}

	@Property(tries = 250, edgeCases = EdgeCasesMode.NONE)
	void theScriptAgreesWithItsTwinBeyondTwoToThePowerOf53(@ForAll("ofTrillions") Sequence sequence) {
		assertAgreement(sequence);
	}

	private static void assertAgreement(Sequence sequence) {
		Algorithm algorithm = sequence.limit().algorithm();
		STEPS.merge(algorithm, sequence.steps().size(), Integer::sum);
		OracleTests.assertAgreement(sequence, InjectedTime.script(StoredFormat.of(sequence.limit())));
	}

	@Provide
	Arbitrary<Sequence> forward() {
		return algorithms().flatMap(CounterSequences::forward);
	}

	@Provide
	Arbitrary<Sequence> withStepsBack() {
		return algorithms().flatMap(CounterSequences::withStepsBack);
	}

	@Provide
	Arbitrary<Sequence> ofTrillions() {
		return algorithms().flatMap(CounterSequences::ofTrillions);
	}

	private static Arbitrary<Algorithm> algorithms() {
		return Arbitraries.of(Algorithm.FIXED_WINDOW, Algorithm.SLIDING_WINDOW_COUNTER);
	}

	@AfterProperty
	void everyKeyExpires() {
		SharedRedis.checkAndRemoveKeys();
	}

	@AfterContainer
	static void theHistoriesWereLong() {
		assertThat(STEPS).as("steps %s", STEPS)
			.hasSize(2)
			.allSatisfy((algorithm, steps) -> assertThat(steps).isGreaterThan(PropertyRuns.least(10_000)));
	}

}
