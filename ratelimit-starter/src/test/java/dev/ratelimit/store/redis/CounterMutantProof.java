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
		assertThatCode(() -> compare(algorithm, InjectedTime.script(algorithm), release(algorithm)))
			.doesNotThrowAnyException();
	}

	@ParameterizedTest(name = "{0}: {1}")
	@MethodSource({ "mutants", "mutantsOfOneWindow", "roundingMutants" })
	void aMutantIsFound(Algorithm algorithm, String what, String original, String mutation) {
		String script = InjectedTime.script(algorithm);
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
			.isThrownBy(() -> compare(algorithm, InjectedTime.script(algorithm), mutant));
	}

	static Stream<Arguments> mutants() {
		Algorithm fixed = Algorithm.FIXED_WINDOW;
		Algorithm sliding = Algorithm.SLIDING_WINDOW_COUNTER;
		return Stream.of(arguments(fixed, "one less than the threshold", "cost > threshold", "cost >= threshold"),
				arguments(fixed, "only the first window decides", "full = full or", "full = at == 2 and"),
				arguments(fixed, "the cost is not counted", "held[at + 2] + cost", "held[at + 2] + 1"),
				arguments(fixed, "old counts stay", "index, 0, true", "index, held[at + 2], true"),
				arguments(fixed, "a step back is not noticed", "held[at + 1] > index", "false"),
				arguments(fixed, "a step back is not written", "not full or steppedBack", "not full"),
				arguments(fixed, "a step back is not reported", "(held[at + 3] + 1) % 1000", "held[at + 3]"),
				arguments(fixed, "refusals are written", "not full or steppedBack", "true"),
				arguments(fixed, "the wait is one short", "= reply[place + 1]\n", "= reply[place + 1] - 1\n"),
				arguments(fixed, "a receipt names the next window", "held[at + 1] + 1) *", "held[at + 1] + 2) *"),
				arguments(fixed, "no expiry", ", 'PX', ttl", ""),
				arguments(fixed, "no first expiry", "index, 0, true", "index, 0, false"),
				arguments(fixed, "no clock", "decide(now)\nreply", "decide(1795166420000000)\nreply"),
				arguments(sliding, "no clock", "decide(now)\nreply", "decide(1795166420000000)\nreply"),
				arguments(sliding, "no expiry", ", 'PX', ttl", ""),
				arguments(sliding, "no first expiry", "begins or age ~= 0", "begins"),
				arguments(sliding, "one less than the estimate", "cost > room", "cost >= room"),
				arguments(sliding, "only the first window decides", "full = full or", "full = at == 2 and"),
				arguments(sliding, "the cost is not counted", "current + cost, room", "current + 1, room"),
				arguments(sliding, "previous is dropped", "current, previous = 0, current", "current = 0"),
				arguments(sliding, "previous stays", "age > 1", "age > 2"),
				arguments(sliding, "previous has its full weight", "share(previous, left,", "share(previous, window,"),
				arguments(sliding, "a step back is not capped",
						"math.min(current + previous, math.max(threshold, current, previous))", "current + previous"),
				arguments(sliding, "a step back is not written", "not full or steppedBack", "not full"),
				arguments(sliding, "a step back is not reported", "(held[at + 4] + 1) % 1000", "held[at + 4]"),
				arguments(sliding, "a step back keeps previous apart", "previous)), 0", "previous)), previous"),
				arguments(sliding, "reset ends with the current window", "left + window or", "left or"),
				arguments(sliding, "a receipt names the next window", "held[at + 1] + 1) *", "held[at + 1] + 2) *"));
	}

	/** Of the short form of the scripts, for one window. */
	static Stream<Arguments> mutantsOfOneWindow() {
		Algorithm fixed = Algorithm.FIXED_WINDOW;
		Algorithm sliding = Algorithm.SLIDING_WINDOW_COUNTER;
		return Stream.of(arguments(fixed, "one less than the threshold", "used <= threshold", "used < threshold"),
				arguments(fixed, "old counts stay", "if stored == index then", "if true then"),
				arguments(fixed, "a step back is not noticed", " or stored > index", ""),
				arguments(fixed, "any window will do", "length * 1000 ~= window or ", ""),
				arguments(fixed, "the steps are forgotten", "steps = stepped", ""),
				arguments(fixed, "no expiry", ", 'PX', ARGV[3]", ""),
				arguments(fixed, "no first expiry", "0, 0, true", "0, 0, false"),
				arguments(fixed, "the wait is one short", "count, ends", "count, ends - 1"),
				arguments(fixed, "a receipt names the next window", "-(index + 1) * window", "-(index + 2) * window"),
				arguments(sliding, "one less than the estimate", "cost <= room", "cost < room"),
				arguments(sliding, "old counts stay", "if stored == index then", "if true then"),
				arguments(sliding, "previous is dropped", "previous = count\n", "previous = 0\n"),
				arguments(sliding, "previous stays", "stored == index - 1", "stored < index"),
				arguments(sliding, "a step back is not noticed", " or stored > index", ""),
				arguments(sliding, "any window will do", "length * 1000 ~= window or ", ""),
				arguments(sliding, "the steps are forgotten", "steps = stepped", ""),
				arguments(sliding, "no expiry", ", 'PX', ARGV[3]", ""),
				arguments(sliding, "no first expiry", "0, 0, 0, true", "0, 0, 0, false"), arguments(sliding,
						"a receipt names the next window", "-(index + 1) * window", "-(index + 2) * window"));
	}

	static Stream<Arguments> roundingMutants() {
		Algorithm sliding = Algorithm.SLIDING_WINDOW_COUNTER;
		return Stream.of(arguments(sliding, "always down", "ARGV[4] == '1'", "false"),
				arguments(sliding, "always up", "ARGV[4] == '1'", "true"),
				arguments(sliding, "to the nearest", "(rest - over) / c, over", "math.floor(rest / c + 0.5), over"),
				arguments(sliding, "the wait up is one off", "weighted, false)", "weighted, true)"),
				arguments(sliding, "the wait down is one off", "weighted, true) - 1", "weighted, true)"),
				arguments(sliding, "the wait is that of one permit less", "room + 1, window", "room, window"),
				arguments(sliding, "the wait ends with this window", "current, left + window", "current, left"),
				arguments(sliding, "doubles beyond 2^53", "rest < 2 ^ 53", "true"),
				arguments(sliding, "no carry", "rest = rest % c", "rest = 0"));
	}

	static Stream<Arguments> releaseMutants() {
		Algorithm fixed = Algorithm.FIXED_WINDOW;
		Algorithm sliding = Algorithm.SLIDING_WINDOW_COUNTER;
		return Stream.of(arguments(fixed, "nothing is released", "credited = credited + 1", ""),
				arguments(fixed, "passed windows are credited", "age < fields - 3", "true"),
				arguments(fixed, "counts fall below zero", "math.max(0, held[at + 2 + age] - cost)",
						"held[at + 2 + age] - cost"),
				arguments(fixed, "steps back do not matter", "or receipt % window ~= held[at + fields - 1]", ""),
				arguments(fixed, "one of many", "- cost)", "- 1)"), arguments(fixed, "no expiry", ", 'KEEPTTL'", ""),
				arguments(fixed, "always acknowledged", "unknown and -1 or credited", "credited"),
				arguments(fixed, "what is left is dropped", "if counts then", "if false then"),
				arguments(sliding, "previous is dropped", " or fields == 5 and held[at + 3] > 0", ""),
				arguments(sliding, "nothing is released", "credited = credited + 1", ""),
				arguments(sliding, "previous is not credited", "age < fields - 3", "age == 0"),
				arguments(sliding, "current is credited for previous", "held[at + 2 + age]", "held[at + 2]"),
				arguments(sliding, "steps back do not matter", "or receipt % window ~= held[at + fields - 1]", ""),
				arguments(sliding, "no expiry", ", 'KEEPTTL'", ""),
				arguments(sliding, "always acknowledged", "unknown and -1 or credited", "credited"));
	}

	private static String release(Algorithm algorithm) {
		return InjectedTime.releaseScript(algorithm);
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
