package dev.ratelimit.store.redis;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.ratelimit.fixture.PromiseLine;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.store.CounterSequences;
import dev.ratelimit.store.Histories;
import dev.ratelimit.store.PlanSequences;
import dev.ratelimit.store.Sequence;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import redis.clients.jedis.Jedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Small changes to the Lua make the comparison of the counters with their oracles fail,
 * so it finds errors.
 */
@Tag("proof-algorithms")
class CounterMutantProof {

	@RegisterExtension
	static final PromiseLine LINE = new PromiseLine(
			"Mutants of the counters' scripts found, and the scripts themselves kept");

	/** Few histories release more than a window holds. */
	private static final int HISTORIES_OF_EACH_KIND = 400;

	private static final Map<Algorithm, List<Sequence>> HISTORIES = histories();

	private static final Map<Algorithm, List<Sequence>> CHANGES = changes();

	@AfterEach
	void removeKeys() {
		try (Jedis redis = SharedRedis.connect(SharedRedis.standalone())) {
			redis.flushAll();
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "FIXED_WINDOW", "SLIDING_WINDOW_COUNTER" })
	void theShippedScriptsSurvive(Algorithm algorithm) {
		assertThatCode(() -> compare(algorithm, InjectedTime.script(StoredFormat.valueOf(algorithm.name())),
				release(algorithm)))
			.doesNotThrowAnyException();
	}

	@ParameterizedTest(name = "{0}: {1}")
	@MethodSource({ "mutants", "mutantsOfRecords", "roundingMutants" })
	void aMutantIsFound(Algorithm algorithm, String what, String original, String mutation) {
		String script = InjectedTime.script(StoredFormat.valueOf(algorithm.name()));
		assertThat(script).contains(original);
		String mutant = script.replace(original, mutation);
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> compare(algorithm, mutant, release(algorithm)));
	}

	@ParameterizedTest(name = "{0}: {1}")
	@MethodSource("releaseMutants")
	void aMutantOfTheReleaseScriptIsFound(Algorithm algorithm, String what, String original, String mutation) {
		String script = release(algorithm);
		assertThat(script).contains(original);
		String mutant = script.replace(original, mutation);
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> compare(algorithm, InjectedTime.script(StoredFormat.valueOf(algorithm.name())), mutant));
	}

	static Stream<Arguments> mutants() {
		Algorithm fixed = Algorithm.FIXED_WINDOW;
		Algorithm sliding = Algorithm.SLIDING_WINDOW_COUNTER;
		return Stream.of(arguments(fixed, "one less than the threshold", "cost > threshold", "cost >= threshold"),
				arguments(fixed, "only the first window decides", "cost <= limit[i] - state[at + 1]",
						"(at > 3 or cost <= limit[i] - state[at + 1])"),
				arguments(fixed, "the cost is not counted", "used + cost", "used + 1"),
				arguments(fixed, "old counts stay", "begins, count = true, 0", "begins = true"),
				arguments(fixed, "a step back is not noticed", "stored > index", "false"),
				arguments(fixed, "a step back is not written", "return steppedBack", "return false"),
				arguments(fixed, "a step back is not reported", "(steps + 1) % 1000", "steps"),
				arguments(fixed, "refusals are written", "return n, admits", "return n, true"),
				arguments(fixed, "the wait is one short", "third = ends - now", "third = ends - now - 1"),
				arguments(fixed, "a receipt names the next window", "-ends - state", "-ends - limit[i + 1] - state"),
				arguments(fixed, "no expiry", ", 'PX', ttl", ""),
				arguments(fixed, "requested windows stay among the others", "records[length] = nil", ""),
				arguments(fixed, "no clock", "decide(now)\nreply", "decide(1795166420000000)\nreply"),
				arguments(sliding, "no clock", "decide(now)\nreply", "decide(1795166420000000)\nreply"),
				arguments(sliding, "no expiry", ", 'PX', ttl", ""),
				arguments(sliding, "any cost can succeed", "third = -1", "third = 0"),
				arguments(sliding, "one less than the estimate", "cost <= room or", "cost < room or"),
				arguments(sliding, "only the first window decides", "(cost <= room or mode == 'count')",
						"(cost <= room or at > 3)"),
				arguments(sliding, "the cost is not counted", "current + cost, room", "current + 1, room"),
				arguments(sliding, "previous is dropped", "age == 1 and current or 0", "0"),
				arguments(sliding, "previous stays", "age == 1 and current or 0", "current"),
				arguments(sliding, "previous has its full weight",
						"share(previous, (state[at] + 1) * limit[i + 1] - now,", "share(previous, limit[i + 1],"),
				arguments(sliding, "a step back is not capped",
						"math.min(current + previous, math.max(limit[i - 1], current, previous))",
						"current + previous"),
				arguments(sliding, "a step back is not written", "return steppedBack", "return false"),
				arguments(sliding, "a step back is not reported", "(steps + 1) % 1000", "steps"),
				arguments(sliding, "a step back keeps previous apart", "previous)), 0", "previous)), previous"),
				arguments(sliding, "reset ends with the current window", "ends - now + window or", "ends - now or"),
				arguments(sliding, "a receipt names the next window", "-ends - state", "-ends - window - state"));
	}

	/** Of what is read, and what stays beside it. */
	static Stream<Arguments> mutantsOfRecords() {
		Algorithm fixed = Algorithm.FIXED_WINDOW;
		Algorithm sliding = Algorithm.SLIDING_WINDOW_COUNTER;
		return Stream.of(arguments(fixed, "the last permit is refused", "cost <= limit[i]", "cost < limit[i]"),
				arguments(fixed, "reset without use", "used > 0 and ends - now or 0", "ends - now"),
				arguments(fixed, "less than nothing remains", "used < threshold and threshold - used or 0",
						"threshold - used"),
				arguments(fixed, "any window will do", "length ~= window / 1000 or ", ""),
				arguments(fixed, "the steps are forgotten", "= index, count, steps", "= index, count, 0"),
				arguments(fixed, "no window is found again", "records[length] or", "nil or"),
				arguments(fixed, "no first expiry", "arranged ~= nil", "false"),
				arguments(fixed, "others are dropped", "return arranged, others", "return arranged, ''"),
				arguments(fixed, "others end too early", "(index + lives) * length", "index * length"),
				arguments(sliding, "old counts stay", "if age > 0 then", "if false then"),
				arguments(sliding, "reset without previous", "or previous > 0 and ends - now or 0", "or 0"),
				arguments(sliding, "less than nothing remains", "room > 0 and room or 0", "room"),
				arguments(sliding, "a step back is not noticed", "elseif age < 0 then", "elseif false then"),
				arguments(sliding, "any window will do", "length ~= window / 1000 or ", ""),
				arguments(sliding, "the steps are forgotten", "current, previous, steps\n", "current, previous, 0\n"),
				arguments(sliding, "no window is found again", "records[length] or", "nil or"),
				arguments(sliding, "others are dropped", "return arranged, others", "return arranged, ''"),
				arguments(sliding, "others end too early", "(index + lives) * length", "index * length"),
				arguments(sliding, "others with a previous count end", "counts > 1 and before > 0 and 1 or 0", "0"));
	}

	static Stream<Arguments> roundingMutants() {
		Algorithm sliding = Algorithm.SLIDING_WINDOW_COUNTER;
		return Stream.of(arguments(sliding, "always down", "limit[4] == '1'", "false"),
				arguments(sliding, "always up", "limit[4] == '1'", "true"),
				arguments(sliding, "to the nearest", "(rest - over) / c, over", "math.floor(rest / c + 0.5), over"),
				arguments(sliding, "the wait up is one off", "weighted, false)", "weighted, true)"),
				arguments(sliding, "the wait down is one off", "weighted, true) - 1", "weighted, true)"),
				arguments(sliding, "the wait is that of one permit less", "free + 1, window", "free, window"),
				arguments(sliding, "the wait ends with this window", "current, ends + window", "current, ends"),
				arguments(sliding, "doubles beyond 2^53", "rest < 2 ^ 53", "true"),
				arguments(sliding, "no carry", "rest = rest % c", "rest = 0"));
	}

	static Stream<Arguments> releaseMutants() {
		Algorithm fixed = Algorithm.FIXED_WINDOW;
		Algorithm sliding = Algorithm.SLIDING_WINDOW_COUNTER;
		return Stream.of(arguments(fixed, "nothing is released", "credited = credited + 1", ""),
				arguments(fixed, "passed windows are credited", "age < #record - 3", "true"),
				arguments(fixed, "any window is credited", "record[1] == window / 1000", "true"),
				arguments(fixed, "steps back do not matter", "or receipt % window ~= record[#record]", ""),
				arguments(fixed, "one of many", "- cost)", "- 1)"), arguments(fixed, "no expiry", ", 'KEEPTTL'", ""),
				arguments(fixed, "always acknowledged", "unknown and -1 or credited", "credited"),
				arguments(fixed, "what is left is dropped", "if counts then", "if false then"),
				arguments(sliding, "previous is dropped", " or #record == 5 and record[4] > 0", ""),
				arguments(sliding, "nothing is released", "credited = credited + 1", ""),
				arguments(sliding, "previous is not credited", "age < #record - 3", "age == 0"),
				arguments(sliding, "current is credited for previous", "record[3 + age]", "record[3]"),
				arguments(sliding, "steps back do not matter", "or receipt % window ~= record[#record]", ""),
				arguments(sliding, "no expiry", ", 'KEEPTTL'", ""),
				arguments(sliding, "always acknowledged", "unknown and -1 or credited", "credited"));
	}

	private static String release(Algorithm algorithm) {
		return InjectedTime.releaseScript(StoredFormat.valueOf(algorithm.name()));
	}

	private static void compare(Algorithm algorithm, String script, String release) {
		for (Sequence sequence : HISTORIES.getOrDefault(algorithm, List.of())) {
			OracleTests.assertAgreement(sequence, script, release);
		}
		for (Sequence sequence : CHANGES.getOrDefault(algorithm, List.of())) {
			PlansOracleTests.assertAgreement(sequence, script);
		}
	}

	/** A rule that changes. */
	private static Map<Algorithm, List<Sequence>> changes() {
		Map<Algorithm, List<Sequence>> histories = new EnumMap<>(Algorithm.class);
		for (Algorithm algorithm : List.of(Algorithm.FIXED_WINDOW, Algorithm.SLIDING_WINDOW_COUNTER)) {
			histories.put(algorithm,
					Histories.of(HISTORIES_OF_EACH_KIND, List.of(PlanSequences.ofChangedRules(algorithm))));
		}
		return histories;
	}

	private static Map<Algorithm, List<Sequence>> histories() {
		Map<Algorithm, List<Sequence>> histories = new EnumMap<>(Algorithm.class);
		for (Algorithm algorithm : List.of(Algorithm.FIXED_WINDOW, Algorithm.SLIDING_WINDOW_COUNTER)) {
			histories.put(algorithm, Histories.of(HISTORIES_OF_EACH_KIND, List.of(CounterSequences.forward(algorithm),
					CounterSequences.withStepsBack(algorithm), CounterSequences.ofTrillions(algorithm))));
		}
		return histories;
	}

}
