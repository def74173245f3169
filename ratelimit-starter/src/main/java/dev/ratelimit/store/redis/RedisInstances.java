package dev.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import dev.ratelimit.store.InstanceRank;
import dev.ratelimit.store.InstanceRegistry;
import dev.ratelimit.store.redis.resp.Script;
import dev.ratelimit.store.redis.resp.ScriptCall;
import dev.ratelimit.store.wire.CallRunner;
import dev.ratelimit.store.wire.NodeCall;

/**
 * Keeps the live instances in a sorted set, on Redis' own clock, and in the order of
 * their names in another one:
 *
 * <pre>
 * ZADD rl:shop:{instances} 1795166420123 5f3a9c0d1e2b4a67
 * PEXPIRE rl:shop:{instances} 3000
 * ZADD rl:shop:{instances}:names 0 5f3a9c0d1e2b4a67
 * PEXPIRE rl:shop:{instances}:names 3000
 * </pre>
 */
final class RedisInstances implements InstanceRegistry {

	static final String BEAT = "InstanceBeat.lua";

	/** No request waits for it; shorter than the time until the next beat. */
	private static final Duration PATIENCE = Duration.ofMillis(500);

	private final CallRunner runner;

	private final List<byte[]> keys;

	private final Script beat;

	private final Script leave = Script.load("InstanceLeave.lua");

	RedisInstances(CallRunner runner, String keyPrefix, Script beat) {
		this.runner = runner;
		String times = keyPrefix + ":{instances}";
		this.keys = Stream.of(times, times + ":names").map((key) -> key.getBytes(StandardCharsets.UTF_8)).toList();
		this.beat = beat;
	}

	/** On Redis' own clock. */
	static RedisInstances shipped(CallRunner runner, String keyPrefix) {
		return new RedisInstances(runner, keyPrefix, Script.load(BEAT, Script.CLOCK));
	}

	@Override
	public Optional<InstanceRank> beat(String instance, Duration forgetAfter) {
		return run(this.beat, List.of(ascii(instance), ascii(Long.toString(forgetAfter.toMillis())))).list()
			.filter((numbers) -> numbers.size() >= 2 && numbers.stream().allMatch(Long.class::isInstance))
			.map((numbers) -> new InstanceRank(((Long) numbers.get(0)).intValue(), ((Long) numbers.get(1)).intValue()));
	}

	@Override
	public void leave(String instance) {
		run(this.leave, List.of(ascii(instance)));
	}

	private ScriptCall run(Script script, List<byte[]> arguments) {
		ScriptCall call = new ScriptCall(script, this.keys, arguments, NodeCall.Afterwards.NOTHING);
		this.runner.run(List.of(call), PATIENCE);
		return call;
	}

	private static byte[] ascii(String text) {
		return text.getBytes(StandardCharsets.US_ASCII);
	}

}
