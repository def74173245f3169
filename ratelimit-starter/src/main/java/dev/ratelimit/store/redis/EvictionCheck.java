package dev.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.store.redis.resp.Script;
import dev.ratelimit.store.redis.resp.ScriptCall;
import dev.ratelimit.store.redis.resp.ScriptRunner;

/**
 * Finds out whether Redis may throw counters away to make room for others: then whoever
 * it forgets starts anew. One node is asked, as those of a cluster are set up alike.
 */
final class EvictionCheck {

	/** Nobody waits for it. */
	private static final Duration PATIENCE = Duration.ofMillis(500);

	private final ScriptRunner runner;

	private final byte[] key;

	private final Script script = Script.load("Eviction.lua");

	EvictionCheck(ScriptRunner runner, String keyPrefix) {
		this.runner = runner;
		this.key = (keyPrefix + ":{instances}").getBytes(StandardCharsets.UTF_8);
	}

	/**
	 * Ask Redis.
	 * @return the warning, if there is one to give; empty if Redis did not answer
	 */
	Optional<List<String>> concerns() {
		ScriptCall call = new ScriptCall(this.script, this.key, List.of(), ScriptCall.Afterwards.NOTHING);
		this.runner.run(List.of(call), PATIENCE);
		if (!(call.outcome() instanceof ScriptCall.Replied replied) || !(replied.reply() instanceof List<?> reply)) {
			return Optional.empty();
		}
		if (reply.isEmpty()) {
			return Optional.of(List.of());
		}
		return Optional.of(List.of(("%s may evict counters (maxmemory-policy is %s and maxmemory %s bytes): whoever is "
				+ "forgotten starts anew, above the limit. Set maxmemory-policy to noeviction, or count in a Redis of "
				+ "its own.")
			.formatted(this.runner.describe(), text(reply.get(0)), text(reply.get(1)))));
	}

	private static String text(Object value) {
		return new String((byte[]) value, StandardCharsets.UTF_8);
	}

}
