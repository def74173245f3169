package dev.ratelimit.memcached;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

import dev.ratelimit.memcached.meta.MetaCall;
import dev.ratelimit.memcached.meta.MetaCommands;
import dev.ratelimit.memcached.meta.MetaReply;
import dev.ratelimit.store.wire.CallRunner;
import dev.ratelimit.store.wire.NodeCall;

/**
 * Checks whether servers have evicted items since they were checked first: these may have
 * been counts, and an evicted client starts anew. A server that is merely full is no
 * concern, because it reuses the memory of what has expired.
 */
final class EvictionCheck {

	/** No request waits for it. */
	private static final Duration PATIENCE = Duration.ofMillis(500);

	/** So many that each of a hundred servers has one of them. */
	private static final int KEYS = 2000;

	private final CallRunner runner;

	/**
	 * The fewest evictions that each server has reported: those before the first check,
	 * or none after a restart.
	 */
	private final Map<String, Long> fewest = new ConcurrentHashMap<>();

	EvictionCheck(CallRunner runner) {
		this.runner = runner;
	}

	/**
	 * Check all servers.
	 * @return a warning for each server that has evicted items; empty if none replied
	 */
	Optional<List<String>> concerns() {
		Map<String, MetaCall> calls = new TreeMap<>();
		keys().forEach((server, key) -> calls.put(server, statistics(key)));
		this.runner.run(List.copyOf(calls.values()), PATIENCE);
		List<String> concerns = new ArrayList<>();
		boolean replied = false;
		for (Map.Entry<String, MetaCall> call : calls.entrySet()) {
			Optional<Long> evictions = evictions(call.getValue());
			replied |= evictions.isPresent();
			if (evictions.isPresent() && haveGrown(call.getKey(), evictions.get())) {
				concerns.add(concern(call.getKey()));
			}
		}
		return replied ? Optional.of(concerns) : Optional.empty();
	}

	/** A key of each server: only the key of a call names its server. */
	Map<String, String> keys() {
		Map<String, String> keys = new TreeMap<>();
		for (int i = 0; i < KEYS; i++) {
			String key = "stats" + i;
			keys.putIfAbsent(this.runner.shard(() -> key.getBytes(StandardCharsets.UTF_8)), key);
		}
		return keys;
	}

	private static MetaCall statistics(String key) {
		MetaCommands commands = new MetaCommands();
		commands.statistics();
		return new MetaCall(key, commands, NodeCall.Afterwards.NOTHING);
	}

	private static Optional<Long> evictions(MetaCall call) {
		return (call.outcome() instanceof NodeCall.Replied replied && replied.reply() instanceof List<?> replies
				&& replies.get(0) instanceof MetaReply.Statistics statistics) ? Optional.of(statistics.evictions())
						: Optional.empty();
	}

	private boolean haveGrown(String server, long evictions) {
		return evictions > this.fewest.merge(server, evictions, Math::min);
	}

	private static String concern(String server) {
		return ("Memcached at %s has evicted items, which may have been counts: a client that is forgotten starts anew, "
				+ "above the limit. Give the server more memory (-m), or count in a Memcached of its own.")
			.formatted(server);
	}

}
