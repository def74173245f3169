package dev.ratelimit.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import dev.ratelimit.rule.Algorithm;
import redis.clients.jedis.Jedis;

/**
 * The memory of keys whose threshold is used up, as reported by Redis.
 */
final class KeyMemory {

	private static final int[] WINDOWS = { 1, 2, 3 };

	private KeyMemory() {
	}

	/**
	 * Measure all algorithms.
	 * @param redis a server, whose data is deleted
	 * @param threshold the largest threshold
	 * @return the table
	 */
	static String table(Redis redis, int threshold) {
		StringBuilder table = new StringBuilder(
				"""
						### Memory

						Bytes of a key (`MEMORY USAGE`) whose largest threshold, %,d, is used up, with and without its name, for one, two and three thresholds.

						| algorithm | whole key | without its name | per logged request |
						|---|---:|---:|---:|
						"""
					.formatted(threshold));
		try (Jedis jedis = redis.connect()) {
			for (Algorithm algorithm : Algorithm.values()) {
				List<String> whole = new ArrayList<>();
				List<String> nameless = new ArrayList<>();
				double perRequest = 0;
				for (int windows : WINDOWS) {
					ScriptCase filled = ScriptCases.filled(algorithm, threshold, windows);
					String key = fill(jedis, filled, threshold);
					long bytes = jedis.memoryUsage(key, 0);
					whole.add(String.format(Locale.ROOT, "%,d", bytes));
					nameless.add(String.format(Locale.ROOT, "%,d", bytes - key.length()));
					perRequest = (double) (bytes - key.length()) / threshold;
				}
				table.append(String.format(Locale.ROOT, "| %s | %s | %s | %s |%n", ScriptCases.name(algorithm),
						String.join(" / ", whole), String.join(" / ", nameless),
						(algorithm == Algorithm.SLIDING_WINDOW_LOG) ? String.format(Locale.ROOT, "%.1f", perRequest)
								: "-"));
			}
		}
		return table.append('\n').toString();
	}

	private static String fill(Jedis redis, ScriptCase filled, int threshold) {
		redis.flushAll();
		String sha = redis.scriptLoad(filled.text());
		for (int i = 0; i < threshold; i++) {
			ScriptCase.Call call = filled.call().apply(i);
			redis.evalsha(sha, call.keys(), call.arguments());
		}
		return filled.call().apply(0).keys().get(0);
	}

}
