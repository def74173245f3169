package dev.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.store.redis.resp.Script;

/**
 * Shows the benchmarks what the limiter sends, which nobody else needs to see.
 */
public final class ShippedScripts {

	private ShippedScripts() {
	}

	/**
	 * The script that takes permits, with another clock.
	 * @param algorithm its algorithm
	 * @param clock calls {@code decide(now)}
	 * @return the text
	 */
	public static String take(Algorithm algorithm, String clock) {
		Script script = Script.deciding(Script.readAll(AlgorithmScripts.take(algorithm)), clock);
		return new String(script.text(), StandardCharsets.UTF_8);
	}

}
