package dev.ratelimit.limiter;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import dev.ratelimit.limiter.Interleaving.Standing;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLConfigBuilder;
import dev.ratelimit.rule.Refill;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * All or nothing over rules that are counted on different nodes, whichever order the
 * steps of several requests come in: every order up to a bound, and random ones beyond.
 */
class AllOrNothingTests {

	private static final long SEED = 20261120;

	private static final int RANDOM_RUNS = 300;

	/** None, one too short to matter, and one in which many permits leave the windows. */
	private static final long[] PAUSES_MICROS = { 0, 1000, 25_000_000 };

	private static final long[] RANDOM_PAUSES_MICROS = { 0, 0, 1, 1000, 1_000_000, 25_000_000, 60_000_000 };

	/** Every algorithm, and what it guarantees for permits that were released. */
	private enum Kind {

		LOG(Algorithm.SLIDING_WINDOW_LOG, true), COUNTER(Algorithm.SLIDING_WINDOW_COUNTER, true),
		FIXED(Algorithm.FIXED_WINDOW, true), TOKENS(Algorithm.TOKEN_BUCKET, false),
		INTERVALS(Algorithm.TOKEN_BUCKET, false), LEAKY(Algorithm.LEAKY_BUCKET, false);

		private final Algorithm algorithm;

		/** Whether they leave no trace at all; otherwise a bucket may be less full. */
		private final boolean exact;

		Kind(Algorithm algorithm, boolean exact) {
			this.algorithm = algorithm;
			this.exact = exact;
		}

		CompiledRule rule(String id, String... thresholds) {
			RLConfigBuilder rule = RLConfig.builder(id).algorithm(this.algorithm).thresholds(thresholds);
			return CompiledRule.of(((this == INTERVALS) ? rule.refill(Refill.INTERVAL) : rule).build(), 64, false);
		}

		/** A request in progress at the end of an interval ends it for all requests. */
		long[] pauses(long[] all) {
			return (this == INTERVALS) ? LongStream.of(all).filter((pause) -> pause <= 1_000_000).toArray() : all;
		}

	}

	@ParameterizedTest
	@EnumSource
	void twoRequestsOverThreeRulesInEveryOrder(Kind kind) {
		CompiledRule a = kind.rule("a", "2/60s");
		CompiledRule b = kind.rule("b", "1/60s");
		CompiledRule c = kind.rule("c", "1/30s", "3/60s");
		int runs = 0;
		for (List<CompiledRule> other : List.of(List.of(a, b, c), List.of(a, c, b), List.of(b, a, c), List.of(b, c, a),
				List.of(c, a, b), List.of(c, b, a))) {
			runs += everyOrder(kind, List.of(List.of(a, b, c), other), List.of(1, 1));
		}
		assertThat(runs).isGreaterThan(1000);
	}

	@ParameterizedTest
	@EnumSource
	void threeRequestsOverTwoRulesInEveryOrder(Kind kind) {
		CompiledRule a = kind.rule("a", "2/60s", "3/90s");
		CompiledRule b = kind.rule("b", "1/20s", "2/60s");
		List<CompiledRule> forth = List.of(a, b);
		List<CompiledRule> back = List.of(b, a);
		int runs = everyOrder(kind, List.of(forth, forth, back), List.of(1, 1, 1));
		runs += everyOrder(kind, List.of(back, back, forth), List.of(1, 1, 1));
		runs += everyOrder(kind, List.of(forth, forth, forth), List.of(2, 1, 1));
		assertThat(runs).isGreaterThan(2000);
	}

	private static int everyOrder(Kind kind, List<List<CompiledRule>> rules, List<Integer> costs) {
		int runs = 0;
		for (long pause : kind.pauses(PAUSES_MICROS)) {
			runs += Choices
				.exhaust((choices) -> check(kind, new Interleaving(rules, costs, choices, () -> pause), pause == 0));
		}
		return runs;
	}

	@ParameterizedTest
	@EnumSource
	void threeRequestsOverThreeRulesInRandomOrders(Kind kind) {
		Random random = new Random(SEED);
		long[] pauses = kind.pauses(RANDOM_PAUSES_MICROS);
		for (int i = 0; i < RANDOM_RUNS; i++) {
			List<CompiledRule> all = Stream.of("a", "b", "c")
				.map((id) -> kind.rule(id, 1 + random.nextInt(3) + "/20s", 1 + random.nextInt(5) + "/60s"))
				.toList();
			List<List<CompiledRule>> rules = IntStream.range(0, 3)
				.mapToObj((request) -> shuffled(all, random))
				.toList();
			List<Integer> costs = random.ints(3, 1, 3).boxed().toList();
			check(kind, new Interleaving(rules, costs, Choices.atRandom(random),
					() -> pauses[random.nextInt(pauses.length)]), false);
		}
	}

	private static List<CompiledRule> shuffled(List<CompiledRule> rules, Random random) {
		List<CompiledRule> shuffled = new ArrayList<>(rules);
		Collections.shuffle(shuffled, random);
		return shuffled;
	}

	private static void check(Kind kind, Interleaving run, boolean atOneInstant) {
		assertThat(run.admittedWrongly()).as("admitted wrongly in %s", run).isEmpty();
		assertThat(run.refusedTooEarly()).as("refused too early in %s", run)
			.allMatch((refusal) -> run.isWhileAnotherIsUnderWay(refusal)
					|| (!kind.exact && !atOneInstant && run.isAfterARelease(refusal)));
		for (Standing standing : run.standings()) {
			if (kind.exact || atOneInstant) {
				assertThat(standing.real()).as("%s after %s", standing.rule(), run).isEqualTo(standing.ideal());
			}
			else {
				assertThat(standing.real().remaining()).as("%s after %s", standing.rule(), run)
					.isLessThanOrEqualTo(standing.ideal().remaining());
			}
		}
	}

	@Test
	void aRequestInProgressAtTheEndOfAnIntervalEndsItForAll() {
		CompiledRule hard = Kind.INTERVALS.rule("hard", "2/60s");
		CompiledRule other = Kind.LOG.rule("other", "1/1d");
		List<List<CompiledRule>> rules = List.of(List.of(hard, other), List.of(hard), List.of(hard), List.of(other));
		Interleaving run = new Interleaving(rules, List.of(1, 1, 2, 1), Choices.given(3, 0, 1, 1, 0, 0),
				() -> 30_000_000);
		assertThat(run).hasToString("[3 takes from other, 0 takes from hard, 1 takes from hard, 2 takes from hard, "
				+ "0 is refused by other, 0 releases to hard]");
		assertThat(run.admittedWrongly()).as("half an interval after 1").hasToString("[2 takes from hard]");
	}

	@Test
	void twoRequestsInOppositeNodeOrderMayBothBeRefusedWithoutATrace() {
		CompiledRule a = Kind.LOG.rule("a", "1/60s");
		CompiledRule b = Kind.LOG.rule("b", "1/60s");
		List<List<CompiledRule>> opposite = List.of(List.of(a, b), List.of(b, a));
		Interleaving run = new Interleaving(opposite, List.of(1, 1), Choices.given(0, 1, 0, 1, 0, 0), () -> 0);
		assertThat(run).hasToString("[0 takes from a, 1 takes from b, 0 is refused by b, 1 is refused by a, "
				+ "0 releases to a, 1 releases to b]");
		assertThat(run.standings()).allMatch((standing) -> standing.real().equals(standing.ideal()));
	}

}
