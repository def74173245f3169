package dev.ratelimit.store.redis.resp;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.fixture.Patience;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLThreshold;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Limits;
import dev.ratelimit.store.PermitId;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.memory.MemoryStore;
import dev.ratelimit.store.redis.SharedRedis;
import dev.ratelimit.store.redis.StoreCalls;
import dev.ratelimit.store.redis.StoreRequests;
import dev.ratelimit.store.wire.Decisions;
import dev.ratelimit.store.wire.ErrorReply;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterProperty;
import redis.clients.jedis.Jedis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Calls that share a command: each is decided exactly as alone, in their order, and an
 * error of one reaches no other.
 */
class ScriptCommandTests {

	private static final AtomicInteger SUBJECTS = new AtomicInteger();

	private final MovableClock clock = new MovableClock();

	private final StoreCalls shipped = StoreCalls.shipped();

	/**
	 * Decisions that are requested at once.
	 *
	 * @param advanceMicros how far the clock moves before them
	 * @param decisions what is requested
	 */
	private record Batch(long advanceMicros, List<Decision> decisions) {
	}

	/**
	 * Few subjects and few ids, so that many are repeated in one batch, in a row or not;
	 * and a limit that was changed meanwhile.
	 */
	private record Decision(int limit, int subject, int id, long cost) {
	}

	@Property(tries = 150, edgeCases = EdgeCasesMode.NONE)
	void eachCallIsDecidedAsAloneWhicheverAlgorithm(@ForAll Algorithm algorithm,
			@ForAll("batches") List<Batch> batches) {
		List<Limit> limits = List.of(Limits.of(algorithm, "many-one", "9/60s"), changed(algorithm),
				Limits.of(algorithm, "many-two", "5/60s", "7/180s"));
		int run = SUBJECTS.incrementAndGet();
		RateLimitStore oracle = new MemoryStore(this.clock);
		StoreCalls calls = StoreCalls.onInjectedTime();
		for (Batch batch : batches) {
			this.clock.advanceMicros(batch.advanceMicros());
			List<AcquireRequest> requests = batch.decisions()
				.stream()
				.map((decision) -> new AcquireRequest(limits.get(decision.limit()),
						new Subject("many-" + run + "-" + decision.subject()), decision.cost(),
						new PermitId("p" + decision.id())))
				.toList();
			List<AcquireResult> expected = requests.stream()
				.map((request) -> oracle.acquire(List.of(request), Patience.LONG).await().get(0))
				.toList();
			assertThat(acquire(calls, requests)).isEqualTo(expected);
		}
	}

	/**
	 * A bucket flows as before: the twin drops it when it is empty at its last rate, as a
	 * key expires, but not on this clock.
	 */
	private static Limit changed(Algorithm algorithm) {
		return algorithm.isBucket()
				? Limits.of(RLConfig.builder("many-one")
					.algorithm(algorithm)
					.thresholds(List.of(new RLThreshold(9, Duration.ofMinutes(1)).withBurst(8))))
				: Limits.of(algorithm, "many-one", "8/60s");
	}

	@Provide
	Arbitrary<List<Batch>> batches() {
		Arbitrary<Decision> decisions = Combinators
			.combine(Arbitraries.integers().between(0, 2), Arbitraries.integers().between(0, 1),
					Arbitraries.integers().between(0, 40), Arbitraries.longs().between(1, 2))
			.as(Decision::new);
		return Combinators
			.combine(Arbitraries.longs().between(-5_000_000, 40_000_000),
					decisions.list().ofMinSize(1).ofMaxSize(ScriptCommand.MAX_CALLS))
			.as(Batch::new)
			.list()
			.ofMinSize(1)
			.ofMaxSize(6);
	}

	@AfterProperty
	void everyKeyExpires() {
		SharedRedis.checkAndRemoveKeys();
	}

	private List<AcquireResult> acquire(StoreCalls calls, List<AcquireRequest> requests) {
		byte[] micros = Long.toString(ChronoUnit.MICROS.between(Instant.EPOCH, this.clock.instant()))
			.getBytes(StandardCharsets.US_ASCII);
		List<ScriptCall> all = new ArrayList<>(SentTogether.calls(calls, requests));
		ScriptCall last = all.remove(all.size() - 1);
		// With the time behind it: alone its limit comes last, otherwise its own
		// arguments.
		all.add(all.isEmpty() ? with(last, last.arguments(), and(last.limit(), micros))
				: with(last, and(last.arguments(), micros), last.limit()));
		ScriptCommand command = SentTogether.command(SharedRedis.standalone(), all);
		List<?> reply = (List<?>) SentTogether.send(SharedRedis.standalone(), command);
		assertThat(SentTogether.deliver(command, reply.subList(0, reply.size() - 1))).isEmpty();
		return IntStream.range(0, all.size()).mapToObj((i) -> result(all.get(i), requests.get(i))).toList();
	}

	private static List<byte[]> and(List<byte[]> limit, byte[] argument) {
		List<byte[]> more = new ArrayList<>(limit);
		more.add(argument);
		return more;
	}

	private static ScriptCall with(ScriptCall call, List<byte[]> arguments, List<byte[]> limit) {
		return new ScriptCall(call.script(), call.keys(), arguments, limit, call.weight(), call.afterwards());
	}

	private static AcquireResult result(ScriptCall call, AcquireRequest request) {
		return StoreCalls.result(call, request);
	}

	@Example
	void aLimitIsSentOnceForAllRequestsOnItInARow() {
		Limit limit = Limits.of("told", "7/60s");
		List<AcquireRequest> requests = IntStream.range(0, 3)
			.mapToObj((i) -> new AcquireRequest(limit, new Subject("s" + i), 1, new PermitId("id" + i)))
			.toList();
		List<String> sent = SentTogether
			.sent(SentTogether.command(SharedRedis.standalone(), SentTogether.calls(this.shipped, requests)));
		assertThat(sent.subList(2, sent.size())).containsExactly("3", "rl:test:{told:s0}:l1", "rl:test:{told:s1}:l1",
				"rl:test:{told:s2}:l1", "", "4", "60100", "0", "7", "60000000", "id0", "1", "id1", "1", "id2", "1");
	}

	@Example
	void theTimeIsReadOnce() {
		try (Jedis redis = SharedRedis.connect(SharedRedis.standalone())) {
			redis.configResetStat();
			decide(SharedRedis.standalone(),
					SentTogether.calls(this.shipped, requests(Limits.of("once", "7/60s"), "a", "b", "c")));
			assertThat(redis.info("commandstats")).contains("cmdstat_time:calls=1,");
		}
	}

	@Example
	void requestsOnOneKeyInARowReadItOnceAndWriteItOnceIfItIsOneText() {
		for (Algorithm algorithm : Algorithm.values()) {
			Limit limit = Limits.of(algorithm, "run-" + algorithm.letter(), "7/60s");
			try (Jedis redis = SharedRedis.connect(SharedRedis.standalone())) {
				redis.configResetStat();
				decide(SharedRedis.standalone(), SentTogether.calls(this.shipped, requests(limit, "a", "a", "a")));
				assertThat(redis.info("commandstats")).contains((algorithm == Algorithm.SLIDING_WINDOW_LOG)
						? List.of("_zcard:calls=1,", "_zcount:calls=1,", "_zadd:calls=3,", "_pexpire:calls=1,")
						: List.of("_get:calls=1,", "_set:calls=1,"));
			}
		}
	}

	@Example
	void allRequestsOnOneKeyInARowFailIfItCannotBeWritten() {
		try (RedisServer server = RedisServer.start("--save", ""); Jedis redis = SharedRedis.connect(server)) {
			redis.configSet("maxmemory", "1");
			for (Algorithm algorithm : Algorithm.values()) {
				Limit limit = Limits.of(algorithm, "memory-" + algorithm.letter(), "7/60s");
				List<ScriptCall> calls = SentTogether.calls(this.shipped, requests(limit, "a", "a", "b"));
				ScriptCommand command = SentTogether.command(server, calls);
				List<?> reply = (List<?>) SentTogether.send(server, command);
				assertThat(reply).hasSameSizeAs(calls);
				Map<ScriptCall, RuntimeException> errors = SentTogether.deliver(command, reply);
				assertThat(errors.keySet()).containsExactlyElementsOf(calls);
				assertThat(errors.values()).allSatisfy((error) -> assertThat(error).hasMessageStartingWith("OOM"));
				assertThat(redis.dbSize()).isZero();
			}
		}
	}

	@Example
	void anErrorOfOneCallReachesNoOther() {
		Limit limit = Limits.of("errors", "1/60s");
		List<ScriptCall> calls = new ArrayList<>(SentTogether.calls(this.shipped, requests(limit, "a", "b", "a")));
		ScriptCall bad = calls.get(1);
		List<byte[]> arguments = new ArrayList<>(bad.arguments());
		arguments.set(1, "much".getBytes(StandardCharsets.US_ASCII));
		calls.set(1, new ScriptCall(bad.script(), bad.keys(), arguments, bad.limit(), bad.weight(), bad.afterwards()));
		assertThat(decide(SharedRedis.standalone(), calls).keySet()).containsExactly(calls.get(1));
		assertThat(result(calls.get(0), StoreRequests.request(limit, "a"))).isInstanceOf(AcquireResult.Admitted.class);
		assertThat(result(calls.get(2), StoreRequests.request(limit, "a"))).isInstanceOf(AcquireResult.Refused.class);
	}

	@Example
	void aValueOfAnotherTypeIsReplacedAsForASingleCall() {
		for (Algorithm algorithm : Algorithm.values()) {
			Limit limit = Limits.of(algorithm, "healed-" + algorithm.letter(), "1/60s");
			List<ScriptCall> calls = SentTogether.calls(this.shipped, requests(limit, "a", "b"));
			try (Jedis redis = SharedRedis.connect(SharedRedis.standalone())) {
				redis.lpush(calls.get(0).key(), "a list".getBytes(StandardCharsets.US_ASCII));
			}
			assertThat(decide(SharedRedis.standalone(), calls)).isEmpty();
			assertThat(calls).allSatisfy((call) -> assertThat(result(call, StoreRequests.request(limit, "a")))
				.isInstanceOf(AcquireResult.Admitted.class));
		}
	}

	/**
	 * A log with old entries is trimmed before a new one is added, which needs no memory.
	 */
	@Example
	void withoutMemoryNewKeysAreRefusedUntilACallWritesWhatNeedsNone() {
		Limit limit = Limits.of("memory", "7/60s");
		try (RedisServer server = RedisServer.start("--save", ""); Jedis redis = SharedRedis.connect(server)) {
			redis.zadd(SentTogether.calls(this.shipped, requests(limit, "there")).get(0).key(), 1,
					"old".getBytes(StandardCharsets.US_ASCII));
			redis.configSet("maxmemory", "1");
			List<ScriptCall> calls = SentTogether.calls(this.shipped,
					requests(limit, "new-1", "new-2", "there", "new-3"));
			Map<ScriptCall, RuntimeException> errors = decide(server, calls);
			assertThat(errors.keySet()).containsExactly(calls.get(0), calls.get(1));
			assertThat(errors.values()).allSatisfy((error) -> assertThat(error).hasMessageStartingWith("OOM"));
			assertThat(result(calls.get(3), StoreRequests.request(limit, "a")))
				.isInstanceOf(AcquireResult.Admitted.class);
		}
	}

	private static List<AcquireRequest> requests(Limit limit, String... subjects) {
		List<AcquireRequest> requests = new ArrayList<>();
		for (String subject : subjects) {
			requests.add(StoreRequests.request(limit, subject));
		}
		return requests;
	}

	/** Decides on Redis' own clock, and returns the calls that ended with an error. */
	private static Map<ScriptCall, RuntimeException> decide(RedisServer server, List<ScriptCall> calls) {
		ScriptCommand command = SentTogether.command(server, calls);
		return SentTogether.deliver(command, SentTogether.send(server, command));
	}

	@Example
	void aReplyOfAnotherFormFailsEveryCall() {
		Limit limit = Limits.of("form", "7/60s");
		List<ScriptCall> calls = SentTogether.calls(this.shipped, requests(limit, "a", "b"));
		assertThat(SentTogether.deliver(SentTogether.command(SharedRedis.standalone(), calls), 7L)).isEmpty();
		assertThat(calls).allSatisfy((call) -> assertThat(result(call, StoreRequests.request(limit, "a")))
			.isInstanceOf(AcquireResult.Failed.class));
	}

	@Example
	void callsOfDifferentScriptsShareNoCommand() {
		List<ScriptCall> logs = SentTogether.calls(this.shipped, requests(Limits.of("log", "7/60s"), "a", "b"));
		List<ScriptCall> counters = SentTogether.calls(this.shipped,
				requests(Limits.of(Algorithm.FIXED_WINDOW, "counter", "7/60s"), "a", "b"));
		List<ScriptCommand> commands = SentTogether.commands(false,
				List.of(logs.get(0), counters.get(0), logs.get(1), counters.get(1)));
		assertThat(commands).extracting(ScriptCommand::calls).containsExactly(logs, counters);
	}

	@Example
	void inAClusterOnlyCallsOnOneKeyShareACommand() {
		List<ScriptCall> calls = SentTogether.calls(this.shipped, requests(Limits.of("slots", "7/60s"), "a", "b", "a"));
		assertThat(SentTogether.commands(true, calls)).extracting(ScriptCommand::calls)
			.containsExactly(List.of(calls.get(0), calls.get(2)), List.of(calls.get(1)));
	}

	/** A proxy has words of its own for keys of several slots. */
	@Example
	void aRefusalOfSeveralKeysInAnyWordsKeepsThemApart() {
		List<String> refusals = List.of("CROSSSLOT Keys in request don't hash to the same slot",
				"ERR eval/evalsha command keys must in same slot", "ERR upstream failure");
		assertThat(refusals).allSatisfy((words) -> assertThat(repliesTo(words, "a", "b")).allSatisfy((error) -> {
			assertThat(error.keysApart()).isTrue();
			assertThat(error.mayHaveRun()).isEqualTo(!words.contains("slot"));
		}));
		assertThat(refusals).allSatisfy(
				(words) -> assertThat(repliesTo(words, "a", "a")).as("on one key").noneMatch(ErrorReply::keysApart));
	}

	@Example
	void anErrorWithAnotherMeaningKeepsNoKeysApart() {
		assertThat(List.of("OOM command not allowed", "NOAUTH Authentication required.", "NOPERM no permissions",
				"ERR unknown command 'EVALSHA', with args beginning with: 'a'", "MOVED 1 127.0.0.1:1",
				"NOSCRIPT No matching script.", "ERR user_script:9: x script: 1a, on @user_script:9.",
				"ERR Error running script (call to f_1): @user_script:9: x"))
			.allSatisfy((words) -> assertThat(repliesTo(words, "a", "b")).noneMatch(ErrorReply::keysApart));
	}

	/** As the driver reads the reply to one command on these subjects. */
	private List<ErrorReply> repliesTo(String words, String... subjects) {
		ScriptCommand command = SentTogether.command(SharedRedis.standalone(),
				SentTogether.calls(this.shipped, requests(Limits.of("refused", "7/60s"), subjects)));
		return command.repliesFrom(SentTogether.read("-" + words + "\r\n"))
			.stream()
			.map(ErrorReply.class::cast)
			.toList();
	}

	@Example
	void noMoreCallsThanAllowedShareACommand() {
		Limit limit = Limits.of("most", "7/60s");
		List<ScriptCall> calls = SentTogether.calls(this.shipped,
				Collections.nCopies(ScriptCommand.MAX_CALLS + 1, StoreRequests.request(limit, "a")));
		assertThat(SentTogether.commands(false, calls)).extracting((command) -> command.calls().size())
			.containsExactly(ScriptCommand.MAX_CALLS, 1);
	}

}
