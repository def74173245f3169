package dev.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import dev.ratelimit.store.redis.resp.Script;
import dev.ratelimit.store.redis.resp.ScriptCall;
import dev.ratelimit.store.wire.CallRunner;
import dev.ratelimit.store.wire.NodeCall;

/**
 * Runs scripts with other texts than the shipped ones.
 */
record ChangedScripts(CallRunner redis, UnaryOperator<String> change,
		Map<Script, Script> changed) implements CallRunner {

	ChangedScripts(CallRunner redis, UnaryOperator<String> change) {
		this(redis, change, new ConcurrentHashMap<>());
	}

	@Override
	public void run(List<? extends NodeCall> calls, Duration maxWait) {
		List<ScriptCall> others = calls.stream().map((call) -> other((ScriptCall) call)).toList();
		this.redis.run(others, maxWait);
		copy(others, calls);
	}

	@Override
	public void start(List<? extends NodeCall> calls, Duration maxWait, Runnable completion) {
		List<ScriptCall> others = calls.stream().map((call) -> other((ScriptCall) call)).toList();
		this.redis.start(others, maxWait, () -> {
			copy(others, calls);
			completion.run();
		});
	}

	private ScriptCall other(ScriptCall call) {
		Script script = this.changed.computeIfAbsent(call.script(),
				(shipped) -> Script.of(this.change.apply(new String(shipped.text(), StandardCharsets.UTF_8))));
		return new ScriptCall(script, call.keys(), call.arguments(), call.limit(), call.weight(), call.afterwards());
	}

	private static void copy(List<ScriptCall> from, List<? extends NodeCall> to) {
		for (int i = 0; i < to.size(); i++) {
			if (from.get(i).outcome() instanceof NodeCall.Replied replied) {
				to.get(i).replied(replied.reply());
			}
			else {
				NodeCall.FailedCall failed = (NodeCall.FailedCall) from.get(i).outcome();
				to.get(i).failed(failed.failure(), failed.fate());
			}
		}
	}

	@Override
	public String shard(Supplier<byte[]> key) {
		return this.redis.shard(key);
	}

	@Override
	public String describe() {
		return this.redis.describe();
	}

	@Override
	public void close() {
		this.redis.close();
	}

}
