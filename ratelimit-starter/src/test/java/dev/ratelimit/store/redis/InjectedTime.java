package dev.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.ratelimit.store.PermitCounter;
import dev.ratelimit.store.redis.resp.Script;
import dev.ratelimit.store.redis.resp.ScriptCall;
import dev.ratelimit.store.wire.CallRunner;
import dev.ratelimit.store.wire.NodeCall;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs the shipped scripts with another clock file behind them: the time is sent as one
 * more argument and returned as one more number.
 */
public final class InjectedTime implements CallRunner {

	public static final String CLOCK = Script.read("InjectedClock.lua");

	/** Read once: to read and hash them takes longer than a random history does. */
	private static final Map<StoredFormat, AlgorithmScripts> SHIPPED = AlgorithmScripts.load();

	private static final Map<StoredFormat, AlgorithmScripts> TIMED = timed();

	/** Scripts of tests by their text. */
	private static final Map<String, Script> CHANGED = new ConcurrentHashMap<>();

	private final CallRunner redis;

	private final InstantSource clock;

	private final Set<Script> timed;

	/**
	 * Give scripts the time of a test.
	 * @param redis runs them
	 * @param clock the time
	 * @param timed the scripts that end with {@link #CLOCK}
	 */
	public InjectedTime(CallRunner redis, InstantSource clock, Set<Script> timed) {
		this.redis = redis;
		this.clock = clock;
		this.timed = timed;
	}

	/** The scripts as they are shipped, on Redis' own clock. */
	public static RedisStore shipped(CallRunner redis) {
		return new RedisStore(redis, SharedRedis.PREFIX, SHIPPED, SharedRedis.NO_LISTENER);
	}

	/** The shipped release script of a format. */
	static String releaseScript(StoredFormat format) {
		return text(SHIPPED.get(format).release());
	}

	/** The shipped script of a format with the clock of the tests. */
	static String script(StoredFormat format) {
		return text(TIMED.get(format).take());
	}

	private static String text(Script script) {
		return new String(script.text(), StandardCharsets.UTF_8);
	}

	/** The shipped scripts with the clock of the tests, each of which decides one key. */
	private static Map<StoredFormat, AlgorithmScripts> timed() {
		Map<StoredFormat, AlgorithmScripts> scripts = AlgorithmScripts.load(CLOCK);
		scripts.replaceAll((format, timed) -> new AlgorithmScripts(Script.of(text(timed.take())),
				Script.of(text(timed.count())), timed.ahead(), timed.peek(), timed.release(), timed.turn()));
		return scripts;
	}

	private static Script changed(Map<StoredFormat, String> changed, StoredFormat format, Script otherwise) {
		String text = changed.get(format);
		return (text != null) ? CHANGED.computeIfAbsent(text, Script::of) : otherwise;
	}

	/** The shipped scripts on the clock of the test. */
	public static RedisStore store(CallRunner redis, InstantSource clock, String keyPrefix) {
		return store(redis, clock, keyPrefix, Map.of());
	}

	/**
	 * A store with scripts of the test.
	 * @param changed the scripts, clock included, that differ from the shipped ones
	 */
	static RedisStore store(CallRunner redis, InstantSource clock, String keyPrefix,
			Map<StoredFormat, String> changed) {
		return store(redis, clock, keyPrefix, changed, Map.of());
	}

	/**
	 * A store with scripts of the test.
	 * @param changed the take scripts, clock included, that differ from the shipped ones
	 * @param changedReleases the release scripts that differ from the shipped ones
	 */
	static RedisStore store(CallRunner redis, InstantSource clock, String keyPrefix, Map<StoredFormat, String> changed,
			Map<StoredFormat, String> changedReleases) {
		Map<StoredFormat, AlgorithmScripts> scripts = new EnumMap<>(TIMED);
		scripts
			.replaceAll((format, timed) -> new AlgorithmScripts(changed(changed, format, timed.take()), timed.count(),
					timed.ahead(), timed.peek(), changed(changedReleases, format, timed.release()), timed.turn()));
		Set<Script> timed = scripts.values()
			.stream()
			.flatMap((those) -> Stream.concat(Stream.of(those.take(), those.ahead(), those.peek()),
					those.turn().map(AlgorithmScripts.TurnScripts::take).stream()))
			.collect(Collectors.toSet());
		return new RedisStore(new InjectedTime(redis, clock, timed), keyPrefix, scripts, SharedRedis.NO_LISTENER);
	}

	/** The registry of instances, on the clock of the test. */
	static RedisInstances instances(CallRunner redis, InstantSource clock) {
		Script beat = Script.of(Script.read(RedisInstances.BEAT) + CLOCK);
		return new RedisInstances(new InjectedTime(redis, clock, Set.of(beat)), SharedRedis.PREFIX, beat);
	}

	/** The counter that counts without deciding, on the clock of the test. */
	public static PermitCounter counter(CallRunner redis, InstantSource clock, String keyPrefix) {
		Set<Script> counts = TIMED.values().stream().map(AlgorithmScripts::count).collect(Collectors.toSet());
		return new RedisStore(new InjectedTime(redis, clock, counts), keyPrefix, TIMED, SharedRedis.NO_LISTENER)
			.capabilities()
			.counter()
			.orElseThrow();
	}

	@Override
	public void run(List<? extends NodeCall> calls, Duration maxWait) {
		long micros = ChronoUnit.MICROS.between(Instant.EPOCH, this.clock.instant());
		List<ScriptCall> timed = calls.stream().map((call) -> timed((ScriptCall) call, micros)).toList();
		this.redis.run(timed, maxWait);
		copyOutcomes(timed, calls, micros);
	}

	@Override
	public void start(List<? extends NodeCall> calls, Duration maxWait, Runnable completion) {
		long micros = ChronoUnit.MICROS.between(Instant.EPOCH, this.clock.instant());
		List<ScriptCall> timed = calls.stream().map((call) -> timed((ScriptCall) call, micros)).toList();
		this.redis.start(timed, maxWait, () -> {
			copyOutcomes(timed, calls, micros);
			completion.run();
		});
	}

	private void copyOutcomes(List<ScriptCall> timed, List<? extends NodeCall> calls, long micros) {
		for (int i = 0; i < calls.size(); i++) {
			copyOutcome(timed.get(i), calls.get(i), micros);
		}
	}

	private ScriptCall timed(ScriptCall call, long micros) {
		List<byte[]> limit = new ArrayList<>(call.limit());
		if (this.timed.contains(call.script())) {
			limit.add(Long.toString(micros).getBytes(StandardCharsets.US_ASCII));
		}
		return new ScriptCall(call.script(), call.keys(), call.arguments(), limit, call.weight(), late(call, micros));
	}

	private void copyOutcome(ScriptCall from, NodeCall to, long micros) {
		if (from.outcome() instanceof NodeCall.FailedCall failed) {
			to.failed(failed.failure(), failed.fate());
			return;
		}
		to.replied(untimed(from, ((NodeCall.Replied) from.outcome()).reply(), micros));
	}

	private Object untimed(ScriptCall call, Object reply, long micros) {
		if (!this.timed.contains(call.script())) {
			return reply;
		}
		List<?> numbers = (List<?>) reply;
		assertThat(numbers.get(numbers.size() - 1)).isEqualTo(micros);
		return numbers.subList(0, numbers.size() - 1);
	}

	private NodeCall.Afterwards late(ScriptCall call, long micros) {
		return new NodeCall.Afterwards() {

			@Override
			public Optional<NodeCall> ran(Object reply) {
				return call.afterwards().ran(untimed(call, reply, micros));
			}

			@Override
			public void didNotRun() {
				call.afterwards().didNotRun();
			}

			@Override
			public void lost() {
				call.afterwards().lost();
			}

		};
	}

	@Override
	public String shard(Supplier<byte[]> key) {
		return this.redis.shard(key);
	}

	@Override
	public String describe() {
		return this.redis.describe();
	}

	/** The connections are shared. */
	@Override
	public void close() {
	}

}
