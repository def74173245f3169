package dev.ratelimit.store.memory;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.fixture.PromiseLine;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Refill;
import dev.ratelimit.store.BucketSequences;
import dev.ratelimit.store.CounterSequences;
import dev.ratelimit.store.Histories;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.Sequence;
import dev.ratelimit.store.Subject;
import net.jqwik.api.Arbitrary;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * The histories by which scripts are compared with their twins find small changes to the
 * twins, too: no result of an algorithm rests on one of the two alone.
 */
@Tag("proof-algorithms")
class TwinMutantProof {

	@RegisterExtension
	static final PromiseLine LINE = new PromiseLine("Mutants of the Java twins found, and the twins themselves kept");

	private static final int OF_EACH_KIND = 150;

	/** Permits of a cost above 1 are seldom released. */
	private static final int OF_LOGS = 1500;

	private static final List<Sequence> LOGS = Histories.of(OF_LOGS,
			List.of(Sequence.forward(), Sequence.withStepsBack()));

	private static final Map<Algorithm, List<Sequence>> COUNTERS = counters();

	private static final List<Sequence> BUCKETS = buckets();

	/**
	 * What all windows share, and what those share that begin at multiples of their
	 * length.
	 */
	private static final String WINDOWS = "CountedWindows";

	private static final String ALIGNED = "AlignedWindow";

	private static final String ESTIMATE = "SlidingEstimate";

	@TempDir
	private Path classes;

	private static Map<Algorithm, List<Sequence>> counters() {
		Map<Algorithm, List<Sequence>> counters = new EnumMap<>(Algorithm.class);
		for (Algorithm algorithm : List.of(Algorithm.FIXED_WINDOW, Algorithm.SLIDING_WINDOW_COUNTER)) {
			counters.put(algorithm, Histories.of(OF_EACH_KIND, List.of(CounterSequences.forward(algorithm),
					CounterSequences.withStepsBack(algorithm), CounterSequences.ofTrillions(algorithm))));
		}
		return counters;
	}

	private static List<Sequence> buckets() {
		List<Arbitrary<Sequence>> kinds = new ArrayList<>();
		for (Refill refill : Refill.values()) {
			kinds.add(BucketSequences.forward(Algorithm.TOKEN_BUCKET, refill));
			kinds.add(BucketSequences.withStepsBack(Algorithm.TOKEN_BUCKET, refill));
		}
		kinds.add(BucketSequences.large(Algorithm.TOKEN_BUCKET));
		return Histories.of(OF_EACH_KIND, kinds);
	}

	@Test
	void theTwinsThemselvesSurvive() throws IOException {
		Mutant none = Mutant.of("FixedWindow", "limit.count(i)", "limit.count(i)", this.classes);
		assertThat(Stream.concat(Stream.of(LOGS, BUCKETS), COUNTERS.values().stream()))
			.noneMatch((histories) -> isFound(none, histories));
	}

	@ParameterizedTest(name = "{0}: {1}")
	@MethodSource("logs")
	void aMutantOfTheLogIsFound(String twin, String what, String original, String mutation) throws IOException {
		assertThat(isFound(Mutant.of(twin, original, mutation, this.classes), LOGS)).isTrue();
	}

	@ParameterizedTest(name = "{0}: {2}")
	@MethodSource({ "fixedWindows", "slidingWindows" })
	void aMutantOfACounterIsFound(Algorithm algorithm, String twin, String what, String original, String mutation)
			throws IOException {
		List<Sequence> histories = COUNTERS.getOrDefault(algorithm, List.of());
		assertThat(isFound(Mutant.of(twin, original, mutation, this.classes), histories)).isTrue();
	}

	@ParameterizedTest(name = "{0}: {1}")
	@MethodSource({ "flowingBuckets", "intervals" })
	void aMutantOfABucketIsFound(String twin, String what, String original, String mutation) throws IOException {
		assertThat(isFound(Mutant.of(twin, original, mutation, this.classes), BUCKETS)).isTrue();
	}

	static Stream<Arguments> logs() {
		String log = "SlidingWindowLog";
		return Stream.of(arguments(log, "one more", "cost > limit.count(i) - used", "cost - 1 > limit.count(i) - used"),
				arguments(log, "one less", "cost > limit.count(i) - used", "cost >= limit.count(i) - used"),
				arguments(log, "closed at its old end", "countAfter(nowMicros -", "countAfter(nowMicros - 1 -"),
				arguments(log, "a step back is not noticed", "this.members.restampAfter(nowMicros);", ""),
				arguments(log, "a repeated id counts again", "member(id, i) + mark",
						"member(id, i) + mark + nowMicros"),
				arguments(log, "the first result does not stand", "boolean refused = full != stands",
						"boolean refused = full"),
				arguments(log, "refusals leave no trace", "(limit.countRejected() || !full)", "!full"),
				arguments(log, "attacks fill the memory", "this.members.keepNewest(limit.mostKept());", ""),
				arguments(log, "the wait is that of the neighbour", "(int) (threshold - cost)",
						"(int) Math.max(0, threshold - cost - 1)"),
				arguments(log, "one of many is released", "i < cost; i++", "i < 1; i++"),
				arguments("TimedMembers", "old entries stay", "dropOldest(firstAfter(lastMicros) - this.from)",
						"dropOldest(0)"),
				arguments("TimedMembers", "names of one time are not in order",
						"Arrays.sort(this.names, firstOfNow, this.to, Comparator.naturalOrder());", ""));
	}

	static Stream<Arguments> fixedWindows() {
		Algorithm fixed = Algorithm.FIXED_WINDOW;
		String twin = "FixedWindow";
		return Stream.of(arguments(fixed, WINDOWS, "one less", "full |= cost >", "full |= cost >="),
				arguments(fixed, WINDOWS, "only the last window decides", "full |= cost", "full = cost"),
				arguments(fixed, WINDOWS, "a step back is not written", "if (!full || steppedBack)", "if (!full)"),
				arguments(fixed, WINDOWS, "what is left is dropped", ".noneMatch(W::isUsed)", ".count() >= 0"),
				arguments(fixed, twin, "old counts stay", "new FixedWindow(now, 0, this.steps)",
						"new FixedWindow(now, this.count, this.steps)"),
				arguments(fixed, twin, "a step back is not reported", "(this.steps + 1) % STEPS", "this.steps"),
				arguments(fixed, ALIGNED, "steps back do not matter", " && receipt % window == steps()", ""),
				arguments(fixed, ALIGNED, "counts fall below zero", "Math.max(0, Math.min(MOST, permits))",
						"Math.min(MOST, permits)"),
				arguments(fixed, twin, "passed windows are credited", "(age == 0) ?", "(age >= 0) ?"));
	}

	static Stream<Arguments> slidingWindows() {
		Algorithm sliding = Algorithm.SLIDING_WINDOW_COUNTER;
		String twin = "SlidingWindowCounter";
		return Stream.of(arguments(sliding, WINDOWS, "one less", "full |= cost >", "full |= cost >="),
				arguments(sliding, WINDOWS, "only the last window decides", "full |= cost", "full = cost"),
				arguments(sliding, WINDOWS, "a step back is not written", "if (!full || steppedBack)", "if (!full)"),
				arguments(sliding, twin, "whole windows weigh", "window - nowMicros % window", "window"),
				arguments(sliding, twin, "the wait is that of one less", "mostUsed = limit.count(i) - cost",
						"mostUsed = limit.count(i) - cost + 1"),
				arguments(sliding, ALIGNED, "steps back do not matter", " && receipt % window == steps()", ""),
				arguments(sliding, ALIGNED, "counts fall below zero", "Math.max(0, Math.min(MOST, permits))",
						"Math.min(MOST, permits)"),
				arguments(sliding, twin, "previous is forgotten", "(this.index == now - 1) ? this.current : 0", "0"),
				arguments(sliding, twin, "a step back is not capped", "Math.min(most, this.current + this.previous)",
						"this.current + this.previous"),
				arguments(sliding, twin, "previous is not credited", "(age == 1) ?", "(age == 9) ?"),
				arguments(sliding, ESTIMATE, "always down", "long rest = up ? c - 1 : 0;", "long rest = 0;"),
				arguments(sliding, twin, "reset ends with the window", "return ending + window;", "return ending;"),
				arguments(sliding, ESTIMATE, "the wait is one off", "window, before, true) - 1",
						"window, before, true)"));
	}

	static Stream<Arguments> flowingBuckets() {
		String bucket = "FlowingBucket";
		String flow = "Flow";
		return Stream.of(arguments(bucket, "one less", "permitsBegun() > limit", "permitsBegun() >= limit"),
				arguments(bucket, "only the last window decides", "refused |=", "refused ="),
				arguments(bucket, "a step back keeps receipts", "Math.max(since, this.lastMicros + 1)", "since"),
				arguments(bucket, "a step back is not written", "if (steppedBack || !refused)", "if (!refused)"),
				arguments(bucket, "receipts lack the debt before", "2 + debts.get(i).permits() + given", "2 + given"),
				arguments(bucket, "receipts lack what was released", "2 + debts.get(i).permits() + given",
						"2 + debts.get(i).permits()"),
				arguments(bucket, "others never released", "- 2 - this.given)", "- 2)"),
				arguments(bucket, "what was ahead is nothing", "Math.max(0, receipts.get(i) - 2 - this.given)", "0"),
				arguments(bucket, "releases are not counted", "this.given += cost;", ""),
				arguments(bucket, "receipts never lapse", "taken < this.sinceMicros ||", ""),
				arguments(flow, "nothing flows", "return mulDiv(micros, this.unitsPerMicro, 0, this.permitUnits);",
						"return Debt.NONE;"),
				arguments(flow, "waits are rounded down", "rest + this.unitsPerMicro - 1", "rest"),
				arguments(flow, "parts are free", "(this.rest > 0) ? 1 : 0", "0"),
				arguments(flow, "nothing is borrowed", "(borrowed ? 1 : 0)", "0"));
	}

	static Stream<Arguments> intervals() {
		String bucket = "IntervalBucket";
		return Stream.of(arguments(WINDOWS, "one less", "full |= cost >", "full |= cost >="),
				arguments(WINDOWS, "only the last window decides", "full |= cost", "full = cost"),
				arguments(WINDOWS, "a step back is not written", "if (!full || steppedBack)", "if (!full)"),
				arguments(bucket, "an interval ends too late", "<= nowMicros) {", "< nowMicros) {"),
				arguments(bucket, "an interval stays in the future", "return keptAt(nowMicros);", "return this;"),
				arguments(bucket, "the request that began it is not reported", "((this.taken == 0) ? 1 : 0)", "0"),
				arguments(bucket, "an interval is not put off", "Math.max(this.start, lastMicros)", "this.start"),
				arguments(bucket, "an interval is put off once only", "beganIt || isPutOff", "beganIt"),
				arguments(bucket, "any interval will do", "this.began != receipt / 2", "false"),
				arguments(bucket, "what was taken stays", "rest = plus(-permits)", "rest = this"));
	}

	private static boolean isFound(Mutant mutant, List<Sequence> histories) {
		for (Sequence history : histories) {
			MovableClock clock = new MovableClock();
			List<Object> expected = results(new MemoryStore(clock), clock, history);
			MovableClock mutantClock = new MovableClock();
			if (!mutant.hasResults(expected, (store) -> results(store, mutantClock, history), mutantClock)) {
				return true;
			}
		}
		return false;
	}

	private static List<Object> results(RateLimitStore store, MovableClock clock, Sequence history) {
		try (store) {
			return history.replay(store, clock, new Subject("g"));
		}
	}

}
