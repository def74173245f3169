package dev.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs the shipped scripts with another clock file behind them: the time goes there as
 * one more argument and comes back as one more number.
 */
final class InjectedTime implements ScriptRunner {

	static final String BODY = Script.read("SlidingWindowLog.lua");

	static final String CLOCK = Script.read("InjectedClock.lua");

	private final ScriptRunner redis;

	private final InstantSource clock;

	private final Script take;

	private InjectedTime(ScriptRunner redis, InstantSource clock, Script take) {
		this.redis = redis;
		this.clock = clock;
		this.take = take;
	}

	/** The scripts as they are shipped, on Redis' own clock. */
	static RedisStore shipped(ScriptRunner redis) {
		return new RedisStore(redis, SharedRedis.PREFIX, Script.load("SlidingWindowLog.lua", "Clock.lua"),
				Script.load("SlidingWindowLogGiveBack.lua"));
	}

	static RedisStore store(ScriptRunner redis, InstantSource clock, String keyPrefix) {
		return store(redis, clock, keyPrefix, BODY + CLOCK);
	}

	static RedisStore store(ScriptRunner redis, InstantSource clock, String keyPrefix, String script) {
		Script take = Script.of(script);
		return new RedisStore(new InjectedTime(redis, clock, take), keyPrefix, take,
				Script.load("SlidingWindowLogGiveBack.lua"));
	}

	@Override
	public void run(List<ScriptCall> calls) {
		long micros = ChronoUnit.MICROS.between(Instant.EPOCH, this.clock.instant());
		List<ScriptCall> timed = calls.stream().map((call) -> timed(call, micros)).toList();
		this.redis.run(timed);
		for (int i = 0; i < calls.size(); i++) {
			copyOutcome(timed.get(i), calls.get(i), micros);
		}
	}

	private ScriptCall timed(ScriptCall call, long micros) {
		List<byte[]> arguments = new ArrayList<>(call.arguments());
		if (call.script() == this.take) {
			arguments.add(Long.toString(micros).getBytes(StandardCharsets.US_ASCII));
		}
		return new ScriptCall(call.script(), call.key(), arguments);
	}

	private void copyOutcome(ScriptCall from, ScriptCall to, long micros) {
		if (from.outcome() instanceof ScriptCall.Failed failed) {
			to.failed(failed.answer().failure(), failed.answer().mayHaveCounted());
			return;
		}
		Object reply = ((ScriptCall.Replied) from.outcome()).reply();
		if (from.script() == this.take) {
			List<?> numbers = (List<?>) reply;
			assertThat(numbers.get(numbers.size() - 1)).isEqualTo(micros);
			reply = numbers.subList(0, numbers.size() - 1);
		}
		to.replied(reply);
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
