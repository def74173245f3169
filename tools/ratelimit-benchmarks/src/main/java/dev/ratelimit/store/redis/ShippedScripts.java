package dev.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.store.redis.resp.Script;

/**
 * Gives the benchmarks access to the scripts of the limiter, which no other code needs.
 */
public final class ShippedScripts {

	private ShippedScripts() {
	}

	/**
	 * The script that acquires permits, with another clock.
	 * @param algorithm its algorithm
	 * @param clock calls {@code decide(now)}
	 * @return the text
	 */
	public static String take(Algorithm algorithm, String clock) {
		Script script = Script.deciding(Script.readAll(AlgorithmScripts.take(algorithm)), clock);
		return new String(script.text(), StandardCharsets.UTF_8);
	}

}
