package dev.ratelimit.store.redis;

import java.util.List;
import java.util.stream.Stream;

import dev.ratelimit.fixture.PromiseLine;
import dev.ratelimit.store.Histories;
import dev.ratelimit.store.Sequence;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import redis.clients.jedis.Jedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Small changes to the Lua make the comparison with the oracle fail, so it finds errors.
 */
@Tag("proof-algorithms")
class LogMutantProof {

	@RegisterExtension
	static final PromiseLine LINE = new PromiseLine("Mutants of the log's script found, and the script itself kept");

	static final int HISTORIES_OF_EACH_KIND = 100;

	private static final List<Sequence> HISTORIES = Stream
		.concat(Stream.of(OracleTests.refusedBesideTheFuture()),
				Histories.of(HISTORIES_OF_EACH_KIND, List.of(Sequence.forward(), Sequence.withStepsBack())).stream())
		.toList();

	@AfterEach
	void removeKeys() {
		try (Jedis redis = SharedRedis.connect(SharedRedis.standalone())) {
			redis.flushAll();
		}
	}

	@Test
	void theShippedScriptSurvives() {
		assertThatCode(() -> compare(InjectedTime.script(StoredFormat.SLIDING_WINDOW_LOG))).doesNotThrowAnyException();
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("mutants")
	void aMutantIsFound(String what, String original, String mutation) {
		String script = InjectedTime.script(StoredFormat.SLIDING_WINDOW_LOG);
		assertThat(script).contains(original);
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> compare(script.replace(original, mutation)));
	}

	static Stream<Arguments> mutants() {
		return Stream.of(arguments("a window is closed at its old end", "now - limit[i] + 1", "now - limit[i]"),
				arguments("one more than the threshold", "full or cost > state[i]", "full or cost > state[i] + 1"),
				arguments("one less than the threshold", "full or cost > state[i]", "full or cost >= state[i]"),
				arguments("the wait is that of the neighbour", "threshold - cost)", "threshold - cost - 1)"),
				arguments("no expiry", "call('PEXPIRE', key, string.format('%d', ttl * 5 / 4))", ""),
				arguments("entries stay for ever", "redis.call('ZREMRANGEBYSCORE', key, '0', upTo)", "older"),
				arguments("entries leave too early", "local upTo = beforeText", "local upTo = firstText"),
				arguments("no clock", "decide(now)\nreply", "decide(1795166420000000)\nreply"),
				arguments("a clock of milliseconds", "decide(now)\nreply",
						"decide(math.floor(now / 1000) * 1000)\nreply"),
				arguments("a step back is not noticed", "newest + 0 <= now", "newest"),
				arguments("entries of the future count for nothing", "used = held - older",
						"used = call('ZCOUNT', key, firstText, string.format('%d', now))"),
				arguments("a refusal does not look into the future",
						"newest = newestMicros(now, limit)\n        local first", "local first"),
				arguments("entries that have left the window count", "held - older", "held"),
				arguments("a repeated id counts again", "nowText, isRefusal and id .. '!' or id",
						"nowText, id .. nowText"),
				arguments("the first result does not stand", "first + 0 > now - limit[#limit]", "false"),
				arguments("refusals leave no trace", "not stands and (countsRefusals or not full)",
						"not stands and not full"),
				arguments("refusals always leave a trace", "not stands and (countsRefusals or not full)", "not stands"),
				arguments("attacks fill the memory",
						"call('ZREMRANGEBYRANK', key, longest and call('ZCOUNT', key, '-inf', '(0') or '0', trimToRank)",
						""),
				arguments("only the first window decides", "full = full or", "full = i == 1 and"),
				arguments("added entries are not counted", "state[i] - added", "state[i]"),
				arguments("the last microseconds are lost in text", "nowText or string.format('%d', now)",
						"nowText or tostring(now)"));
	}

	private static void compare(String script) {
		for (Sequence sequence : HISTORIES) {
			OracleTests.assertAgreement(sequence, script);
		}
	}

}
