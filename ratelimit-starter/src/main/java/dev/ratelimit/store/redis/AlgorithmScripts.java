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

	/** What all buckets have in common. */
	static final String BUCKET = "Bucket.lua";

	/**
	 * Load the scripts of all algorithms, named like their Java twins.
	 * @return the scripts by algorithm
	 */
	static Map<Algorithm, AlgorithmScripts> load() {
		Map<Algorithm, AlgorithmScripts> scripts = new EnumMap<>(Algorithm.class);
		for (Algorithm algorithm : Algorithm.values()) {
			scripts.put(algorithm, algorithm.isBucket() ? bucket(name(algorithm)) : counter(name(algorithm)));
		}
		return scripts;
	}

	private static AlgorithmScripts counter(String name) {
		return new AlgorithmScripts(Script.load(name + ".lua", CLOCK), Script.load(name + "GiveBack.lua"));
	}

	private static AlgorithmScripts bucket(String name) {
		return new AlgorithmScripts(Script.load(BUCKET, name + ".lua", CLOCK),
				Script.load(BUCKET, name + "GiveBack.lua"));
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
