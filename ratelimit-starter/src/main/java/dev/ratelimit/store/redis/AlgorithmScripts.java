package dev.ratelimit.store.redis;

import java.util.EnumMap;
import java.util.Map;

import dev.ratelimit.rule.Algorithm;

/**
 * The two scripts of an algorithm.
 *
 * @param take decides and takes permits
 * @param giveBack takes permits back
 */
record AlgorithmScripts(Script take, Script giveBack) {

	/** The resources that are read where a clock is needed. */
	private static final String CLOCK = "Clock.lua";

	/**
	 * Load the scripts of all algorithms, named like their Java twins.
	 * @return the scripts by algorithm
	 */
	static Map<Algorithm, AlgorithmScripts> load() {
		Map<Algorithm, AlgorithmScripts> scripts = new EnumMap<>(Algorithm.class);
		for (Algorithm algorithm : Algorithm.values()) {
			scripts.put(algorithm, new AlgorithmScripts(Script.load(name(algorithm) + ".lua", CLOCK),
					Script.load(name(algorithm) + "GiveBack.lua")));
		}
		return scripts;
	}

	/**
	 * The name of the scripts of an algorithm, which is the one of its Java twin.
	 * @param algorithm the algorithm
	 * @return for example {@code SlidingWindowLog}
	 */
	static String name(Algorithm algorithm) {
		return switch (algorithm) {
			case SLIDING_WINDOW_LOG -> "SlidingWindowLog";
			case SLIDING_WINDOW_COUNTER -> "SlidingWindowCounter";
			case FIXED_WINDOW -> "FixedWindow";
			case TOKEN_BUCKET -> "TokenBucket";
			case LEAKY_BUCKET -> "LeakyBucket";
		};
	}

}
