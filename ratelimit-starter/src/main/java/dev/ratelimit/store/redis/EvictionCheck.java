package dev.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.store.redis.resp.Script;
import dev.ratelimit.store.redis.resp.ScriptCall;
import dev.ratelimit.store.wire.CallRunner;
import dev.ratelimit.store.wire.NodeCall;

/**
 * Checks whether Redis may evict counters to free memory. An evicted client starts anew.
 * Only one node is checked, because those of a cluster have the same settings.
 */
final class EvictionCheck {

	/** No request waits for it. */
	private static final Duration PATIENCE = Duration.ofMillis(500);

	private final CallRunner runner;

	private final byte[] key;

	private final Script script = Script.load("Eviction.lua");

	EvictionCheck(CallRunner runner, String keyPrefix) {
		this.runner = runner;
		this.key = (keyPrefix + ":{instances}").getBytes(StandardCharsets.UTF_8);
	}

	/**
	 * Check the settings of Redis.
	 * @return the warning, if there is one; empty if Redis did not reply
	 */
	Optional<List<String>> concerns() {
		ScriptCall call = new ScriptCall(this.script, this.key, List.of(), NodeCall.Afterwards.NOTHING);
		this.runner.run(List.of(call), PATIENCE);
		return call.list().map(this::concerns);
	}

	private List<String> concerns(List<?> reply) {
		if (reply.isEmpty()) {
			return List.of();
		}
		return List.of(("%s may evict counters (maxmemory-policy is %s and maxmemory %s bytes): a client that is "
				+ "forgotten starts anew, above the limit. Set maxmemory-policy to noeviction, or count in a Redis of "
				+ "its own.")
			.formatted(this.runner.describe(), text(reply.get(0)), text(reply.get(1))));
	}

	private static String text(Object value) {
		return new String((byte[]) value, StandardCharsets.UTF_8);
	}

}
