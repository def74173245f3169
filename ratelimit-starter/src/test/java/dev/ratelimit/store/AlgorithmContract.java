package dev.ratelimit.store;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Allowance;
import dev.ratelimit.rule.CountOn;
import dev.ratelimit.rule.Plans;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLConfigBuilder;
import dev.ratelimit.rule.RLThreshold;
import dev.ratelimit.test.RateLimitStoreContract;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What our own stores promise whatever the algorithm, beside the published contract.
 */
abstract class AlgorithmContract extends RateLimitStoreContract {

	@Override
	protected boolean reservesPermits() {
		return true;
	}

	@Override
	protected Limit limit(Algorithm algorithm, String rule, String... thresholds) {
		return Limits.known(super.limit(algorithm, rule, thresholds));
	}

	@ParameterizedTest
	@MethodSource("algorithms")
	void plansOfOtherWindowsInTurnDoNotResetEachOther(Algorithm algorithm) {
		List<Limit> plans = plans("in-turn", algorithm, "2/120s");
		assertThat(IntStream.range(0, 10)
			.filter((i) -> acquire(plans.get(i % 2)) instanceof AcquireResult.Admitted)
			.count()).isEqualTo((algorithm == Algorithm.SLIDING_WINDOW_LOG) ? 2 : 4);
		moveTo("2026-11-20T09:31:40Z");
		assertThat(usage(acquire(plans.get(0))).get(0).remaining()).as("the next window").isPositive();
		assertThat(acquire(plans.get(1))).as("still the same window").isInstanceOf(AcquireResult.Refused.class);
	}

	@ParameterizedTest
	@MethodSource("algorithms")
	void aSmallerPlanForgetsNothingWhereTheClockStepsBack(Algorithm algorithm) {
		List<Limit> plans = plans("stepped-back", algorithm, "9/60s");
		moveTo("2026-11-20T09:30:00Z");
		assertThat(acquire(plans.get(1), 9)).isInstanceOf(AcquireResult.Admitted.class);
		moveTo("2026-11-20T09:29:59.999Z");
		assertThat(acquire(plans.get(0))).isInstanceOf(AcquireResult.Refused.class);
		assertThat(acquire(plans.get(1))).as("all is used").isInstanceOf(AcquireResult.Refused.class);
	}

	private static List<Limit> plans(String rule, Algorithm algorithm, String paid) {
		return Limits.ofPlans(RLConfig.builder(rule)
			.algorithm(algorithm)
			.thresholds("2/60s")
			.plans(Plans.by("principal", Map.of("paid", new Allowance.Limited(List.of(RLThreshold.valueOf(paid))))))
			.build());
	}

	@ParameterizedTest
	@MethodSource("algorithms")
	void anOverrideCountsAsIfItsRuleHadNoPlans(Algorithm algorithm) {
		Limit more = override(ofPlans("override").algorithm(algorithm), "5/120s");
		assertThat(admitted(more, 10)).as("more than any plan").isEqualTo(5);
		Limit longer = override(ofPlans("longer-override").algorithm(algorithm), "2/1h");
		assertThat(admitted(longer, 10)).isEqualTo(2);
		moveTo("2026-11-20T09:35:00Z");
		assertThat(admitted(longer, 1)).as("behind the longest window of any plan").isZero();
	}

	@Test
	void aRefusalThatCountsLeavesAnOverrideAllItsEntries() {
		Limit more = override(ofPlans("counting-override").countRejected(true), "6/60s");
		assertThat(admitted(more, 6)).isEqualTo(6);
		assertThat(admitted(more, 3)).isZero();
	}

	@Test
	void aRefusalThatCountsLeavesALargerPlanAllItsEntries() {
		List<Limit> plans = Limits.ofPlans(RLConfig.builder("counting-plans")
			.thresholds("2/60s")
			.countRejected(true)
			.plans(Plans.by("principal", Map.of("paid", new Allowance.Limited(List.of(RLThreshold.valueOf("6/60s"))))))
			.build());
		assertThat(admitted(plans.get(1), 6)).isEqualTo(6);
		assertThat(admitted(plans.get(0), 1)).isZero();
		assertThat(admitted(plans.get(1), 3)).as("no more of the larger plan").isZero();
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void permitsThatAreReleasedHaveNotDisplacedThoseOfALongerPlan(boolean countRejected) {
		List<Limit> plans = Limits.ofPlans(RLConfig.builder("released-plans-" + countRejected)
			.countRejected(countRejected)
			.thresholds("3/60s")
			.plans(Plans.by("principal", Map.of("paid", new Allowance.Limited(List.of(RLThreshold.valueOf("3/1h"))))))
			.build());
		assertThat(admitted(plans.get(1), 3)).isEqualTo(3);
		moveTo("2026-11-20T09:35:00Z");
		List<AcquireRequest> failing = IntStream.range(0, 3)
			.mapToObj((i) -> new AcquireRequest(plans.get(0), subject(), 1, new PermitId("failing" + i)))
			.toList();
		List<AcquireResult> results = failing.stream().map(this::acquire).toList();
		assertThat(admitted(plans.get(0), 1)).isZero();
		for (int i = 0; i < 3; i++) {
			assertThat(release(failing.get(i), results.get(i))).isTrue();
		}
		assertThat(admitted(plans.get(1), 3)).as("in the same hour").isZero();
	}

	/** A client can let its requests last. */
	@Test
	void howeverLongPermitsAreUnderWayTheyHaveNotDisplacedThoseOfALongerPlan() {
		List<Limit> plans = Limits.ofPlans(RLConfig.builder("late-outcomes")
			.countOn(CountOn.valueOf("success"))
			.thresholds("2/1s")
			.plans(Plans.by("principal", Map.of("paid", new Allowance.Limited(List.of(RLThreshold.valueOf("3/1h"))))))
			.build());
		assertThat(admitted(plans.get(1), 3)).isEqualTo(3);
		Map<AcquireRequest, AcquireResult> underWay = new LinkedHashMap<>();
		for (int second = 1; second <= 8; second++) {
			moveTo("2026-11-20T09:35:0" + second + "Z");
			for (int i = 0; i < 2; i++) {
				AcquireRequest request = new AcquireRequest(plans.get(0), subject(), 1,
						new PermitId("slow" + second + i));
				underWay.put(request, acquire(request));
			}
		}
		assertThat(underWay.values()).hasSize(16).hasOnlyElementsOfType(AcquireResult.Admitted.class);
		underWay.forEach((request, result) -> assertThat(release(request, result)).isTrue());
		assertThat(admitted(plans.get(1), 3)).as("in the same hour").isZero();
	}

	private static RLConfigBuilder ofPlans(String rule) {
		return RLConfig.builder(rule)
			.thresholds("2/60s")
			.plans(Plans.by("principal",
					Map.of("paid", new Allowance.Limited(List.of(RLThreshold.valueOf("3/120s"))))));
	}

	private static Limit override(RLConfigBuilder rule, String threshold) {
		return Limits.known(Limit.ofOverride(rule.build(), List.of(RLThreshold.valueOf(threshold))));
	}

	private long admitted(Limit limit, int requests) {
		return IntStream.range(0, requests).filter((i) -> acquire(limit) instanceof AcquireResult.Admitted).count();
	}

	@ParameterizedTest
	@MethodSource("algorithms")
	void noMoreThanEightWindowsAreStoredBesideTheRequestedOnes(Algorithm algorithm) {
		Stream<Limit> others = IntStream.rangeClosed(61, 70)
			.mapToObj((seconds) -> Limits.of(algorithm, "many-windows", "3/" + seconds + "s"));
		others.forEach(this::acquire);
		Limit oldest = Limits.of(algorithm, "many-windows", "3/61s");
		Limit second = Limits.of(algorithm, "many-windows", "3/63s");
		if (algorithm == Algorithm.SLIDING_WINDOW_LOG) {
			assertThat(acquire(second)).as("a log has one list for all windows")
				.isInstanceOf(AcquireResult.Refused.class);
			assertThat(acquire(oldest)).isInstanceOf(AcquireResult.Refused.class);
			return;
		}
		assertThat(usage(acquire(second)).get(0).remaining()).as("one of the last eight").isEqualTo(1);
		assertThat(usage(acquire(oldest)).get(0).remaining()).as("dropped").isEqualTo(2);
	}

	@ParameterizedTest
	@MethodSource("algorithms")
	void otherWindowsCountWhatALogHoldsAndElseBeginAnewBesideThese(Algorithm algorithm) {
		Limit minute = Limits.of(algorithm, "other-windows", "5/60s");
		acquire(minute, 2);
		boolean isKept = algorithm == Algorithm.SLIDING_WINDOW_LOG;
		assertThat(usage(acquire(Limits.of(algorithm, "other-windows", "5/90s"))).get(0).remaining())
			.isEqualTo(isKept ? 2 : 4);
		assertThat(usage(acquire(minute)).get(0).remaining()).isEqualTo(isKept ? 1 : 2);
	}

}
