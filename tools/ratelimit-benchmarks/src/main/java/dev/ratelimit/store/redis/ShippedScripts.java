package dev.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.store.Limit;
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
		Script script = Objects.requireNonNull(AlgorithmScripts.load(clock).get(StoredFormat.valueOf(algorithm.name())))
			.take();
		return new String(script.text(), StandardCharsets.UTF_8);
	}

	/**
	 * The arguments of a limit.
	 * @param limit the limit
	 * @return the texts
	 */
	public static List<String> arguments(Limit limit) {
		return LimitArguments.of(limit)
			.stream()
			.map((argument) -> new String(argument, StandardCharsets.US_ASCII))
			.toList();
	}

}
