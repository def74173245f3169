package dev.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;

import dev.ratelimit.rule.Algorithm;

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
	public static String one(Algorithm algorithm, String clock) {
		return Script.readAll(AlgorithmScripts.take(algorithm)) + clock;
	}

	/**
	 * The form of that script that decides many keys.
	 * @param algorithm its algorithm
	 * @param clock calls {@code decide(now)}
	 * @return the text
	 */
	public static String many(Algorithm algorithm, String clock) {
		Script many = Script.deciding(Script.readAll(AlgorithmScripts.take(algorithm)), clock).many().orElseThrow();
		return new String(many.text(), StandardCharsets.UTF_8);
	}

}
