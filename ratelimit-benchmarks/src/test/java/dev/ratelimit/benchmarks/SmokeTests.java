package dev.ratelimit.benchmarks;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.rule.Algorithm;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import redis.clients.jedis.Jedis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The benchmarks measure what they say: everybody admits what is allowed and refuses the
 * rest, and the reports are written.
 */
class SmokeTests {

	private static final Workload FEW = new Workload("few", "one key", List.of("client"),
			new Quota(5, Duration.ofSeconds(1000)), 1, false);

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

	@BeforeEach
	void forget() {
		try (Jedis admin = redis.connect()) {
			admin.flushAll();
		}
	}

	static List<Peer> limiters() {
		List<Peer> all = new ArrayList<>(Ours.all());
		all.addAll(Peers.all());
		return all;
	}

	@ParameterizedTest
	@MethodSource("limiters")
	void everybodyRefusesTheSixth(Peer peer) {
		try (Contender contender = peer.open(redis, FEW)) {
			for (int i = 0; i < 5; i++) {
				assertThat(contender.tryAcquire("client")).as(peer.title()).isTrue();
			}
			assertThat(contender.tryAcquire("client")).as(peer.title()).isFalse();
		}
	}

	@Test
	void aRunIsReported(@TempDir Path directory) throws Exception {
		List<Result> results = new PairedRounds(redis, 1, Duration.ofMillis(20), (format, arguments) -> {
		}).run(FEW, Floors.INCR, List.of(Floors.EMPTY_SCRIPT));
		assertThat(results).singleElement().satisfies((result) -> {
			assertThat(result.timesFloor()).isPositive();
			assertThat(result.commands()).isBetween(0.9, 1.5);
		});
		String table = new Report(directory).write(FEW, results);
		assertThat(table).contains("EVALSHA of `return 1`");
		assertThat(directory.resolve("few.md")).content().isEqualTo(table);
		assertThat(Files.readString(directory.resolve("few.svg"))).startsWith("<svg").contains("EVALSHA of return 1");
	}

	@Test
	void scriptsAreComparedWithTheGatewaysAndWithNothing() {
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
	void whatIsSaidToAdmitAdmitsAndWhatIsSaidToRefuseRefuses(ScriptCase script) {
		try (Jedis jedis = redis.connect()) {
			List<?> last = List.of();
			for (int i = 0; i < script.preparation() + 3; i++) {
				ScriptCase.Call call = script.call().apply(i);
				last = (List<?>) jedis.eval(script.text(), call.keys(), call.arguments());
			}
			Object first = last.get(0);
			List<?> decision = (first instanceof List<?> ofFirstKey) ? ofFirstKey : last;
			assertThat((Long) decision.get(2) > 0).as("has to wait: " + decision)
				.isEqualTo(script.title().endsWith("refuses"));
		}
	}

	/** With all windows full, an admission is one because one entry has just left. */
	static List<ScriptCase> ourScripts() {
		return List.of(ScriptCases.ours(Algorithm.SLIDING_WINDOW_LOG, true, 20, 2),
				ScriptCases.ours(Algorithm.SLIDING_WINDOW_LOG, false, 20, 2),
				ScriptCases.ours(Algorithm.TOKEN_BUCKET, true, 20, 1),
				ScriptCases.ours(Algorithm.TOKEN_BUCKET, false, 20, 1),
				ScriptCases.inTurn(Algorithm.SLIDING_WINDOW_LOG, 20, 3),
				ScriptCases.together(Algorithm.SLIDING_WINDOW_LOG, 20, 3));
	}

	@Test
	void aFullLogIsWeighed() {
		assertThat(KeyMemory.table(redis, 200)).contains("| sliding-window-log |", "| fixed-window |");
	}

}
