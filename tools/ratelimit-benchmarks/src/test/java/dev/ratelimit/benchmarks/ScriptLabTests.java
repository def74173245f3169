package dev.ratelimit.benchmarks;

import java.util.List;
import java.util.Map;

import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.rule.Algorithm;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import redis.clients.jedis.Jedis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The timed scripts decide as the tables state.
 */
class ScriptLabTests {

	private static RedisServer server;

	private static Redis redis;

	@BeforeAll
	static void start() {
		server = RedisServer.start("--save", "");
		redis = new Redis(server.host(), server.port());
	}

	@AfterAll
	static void stop() {
		server.close();
	}

	@Test
	void scriptsAreComparedWithTheScriptOfTheGatewayAndAnEmptyScript() {
		List<ScriptCase> cases = ScriptCases.all(200);
		try (ScriptLab lab = new ScriptLab(redis, 1, 64, (format, arguments) -> {
		})) {
			Map<ScriptCase, List<ScriptSample>> samples = lab.run(cases);
			assertThat(samples.keySet()).containsExactlyElementsOf(cases);
			assertThat(samples.values()).allSatisfy((own) -> assertThat(own).singleElement()
				.satisfies((sample) -> assertThat(sample.micros()).isPositive()));
			assertThat(ScriptTable.times(samples)).contains("| Spring Cloud Gateway's script |", "| 1.00 |",
					"| `return 1` |", "| sliding-window-log, 200, 64 keys in one command |");
		}
	}

	@ParameterizedTest
	@MethodSource("ourScripts")
	void aScriptAdmitsOrRefusesAsItsTitleStates(ScriptCase script) {
		try (Jedis jedis = redis.connect()) {
			List<?> last = List.of();
			for (int i = 0; i < script.preparation() + 3; i++) {
				ScriptCase.Call call = script.call().apply(i);
				last = (List<?>) jedis.eval(script.text(), call.keys(), call.arguments());
			}
			List<?> decision = (script.decisions() > 1) ? last.subList(1, last.size()) : last;
			assertThat((Long) decision.get(2) > 0).as("has to wait: " + decision)
				.isEqualTo(script.title().endsWith("refuses"));
		}
	}

	/** All windows are full: a request is admitted because one entry has just expired. */
	static List<ScriptCase> ourScripts() {
		return List.of(ScriptCases.ours(Algorithm.SLIDING_WINDOW_LOG, true, 20, 2),
				ScriptCases.ours(Algorithm.SLIDING_WINDOW_LOG, false, 20, 2),
				ScriptCases.ours(Algorithm.TOKEN_BUCKET, true, 20, 1),
				ScriptCases.ours(Algorithm.TOKEN_BUCKET, false, 20, 1),
				ScriptCases.inTurn(Algorithm.SLIDING_WINDOW_LOG, 20, 3),
				ScriptCases.together(Algorithm.SLIDING_WINDOW_LOG, 20, 3));
	}

	@Test
	void theMemoryOfAFullLogIsMeasured() {
		assertThat(KeyMemory.table(redis, 200)).contains("| sliding-window-log |", "| fixed-window |");
	}

}
