package dev.ratelimit.store.redis;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.OnLimit;
import dev.ratelimit.store.redis.resp.Script;

/**
 * The scripts of an algorithm. Tested by {@code ScriptTests}.
 *
 * @param take decides and takes permits
 * @param reserve the same, for permits ahead
 * @param release releases permits
 * @param peek reads what is left, and takes nothing
 * @param turn gives turns and takes them back; empty if the algorithm has none
 */
record AlgorithmScripts(Script take, Script reserve, Script release, Script peek, Optional<TurnScripts> turn) {

	/** Makes a script that takes permits take them ahead. */
	static final String AHEAD = "Reservation.lua";

	private static final String GIVE_BACK = "GiveBack";

	private static final String SYNC = "Sync";

	/** Keeps a script from writing. */
	private static final String READ_ONLY = "ReadOnly.lua";

	/** Makes a script that takes permits only read. */
	private static final String PEEK = "Peek.lua";

	/** Reads the value of a key that is a string. */
	private static final String TEXT = "StoredText.lua";

	/** Stores the string that is left after a release. */
	private static final String REST = "StoredRest.lua";

	/** Reads the numbers that counters have stored there. */
	private static final String NUMBERS = "StoredNumbers.lua";

	/** The resources of the script that takes permits of a shared limit. */
	private static final List<String> POOLED = List.of(TEXT, "PooledWindows.lua", "PooledWindow.lua");

	/** The arithmetic of weighted windows. */
	private static final String SHARE = "Share.lua";

	/** The arithmetic of the buckets with a steady flow. */
	private static final String FLOW = "Flow.lua";

	/**
	 * Load the scripts of all algorithms, named like their Java twins.
	 * @return the scripts by algorithm
	 */
	static Map<Algorithm, AlgorithmScripts> load() {
		Map<Algorithm, AlgorithmScripts> scripts = new EnumMap<>(Algorithm.class);
		for (Algorithm algorithm : Algorithm.values()) {
			scripts.put(algorithm,
					new AlgorithmScripts(Script.deciding(Script.readAll(take(algorithm)), Script.read(Script.CLOCK)),
							Script.of(Script.readAll(reserve(algorithm))),
							Script.of(Script.readAll(release(algorithm))),
							Script.of(Script.readAll(peek(algorithm)) + Script.read(Script.CLOCK)),
							turn(algorithm, Script.read(Script.CLOCK))));
		}
		return scripts;
	}

	/** The resources of the script that takes permits, before the clock. */
	static List<String> take(Algorithm algorithm) {
		return resources(algorithm, "");
	}

	/** The resources of the script that takes permits ahead. */
	static List<String> reserve(Algorithm algorithm) {
		List<String> resources = new ArrayList<>(take(algorithm));
		resources.addAll(List.of(AHEAD, Script.CLOCK));
		return resources;
	}

	/** The scripts of fixed windows whose limit several data centres share. */
	static AlgorithmScripts pooled(String clock) {
		Script take = Script.deciding(Script.readAll(POOLED), clock);
		String peek = Script.read(READ_ONLY) + Script.readAll(POOLED) + Script.read(PEEK);
		return new AlgorithmScripts(take, take, Script.load(TEXT, "PooledWindows.lua", "PooledWindowGiveBack.lua"),
				Script.of(peek + clock), Optional.empty());
	}

	/** The scripts for turns; empty if the algorithm has none. */
	static Optional<TurnScripts> turn(Algorithm algorithm, String clock) {
		if (!OnLimit.OnLimitKind.DELAY.algorithms().contains(algorithm)) {
			return Optional.empty();
		}
		List<String> release = algorithm.isBucket() ? List.of(TEXT, REST, FLOW, name(algorithm) + "TurnGiveBack.lua")
				: release(algorithm);
		return Optional.of(new TurnScripts(
				Script.of(Script.readAll(take(algorithm)) + Script.read(name(algorithm) + "Turn.lua") + clock),
				Script.of(Script.readAll(release))));
	}

	/** The resources of the script that releases permits. */
	static List<String> release(Algorithm algorithm) {
		return resources(algorithm, GIVE_BACK);
	}

	/** The resources of the script that only reads, before the clock. */
	static List<String> peek(Algorithm algorithm) {
		List<String> resources = new ArrayList<>(List.of(READ_ONLY));
		resources.addAll(take(algorithm));
		resources.add(PEEK);
		return resources;
	}

	/**
	 * The resources of the script that counts permits admitted without a call, before the
	 * clock.
	 */
	static List<String> sync(Algorithm algorithm) {
		return resources(algorithm, SYNC);
	}

	private static List<String> resources(Algorithm algorithm, String task) {
		List<String> resources = new ArrayList<>();
		if (algorithm != Algorithm.SLIDING_WINDOW_LOG) {
			resources.addAll(task.equals(GIVE_BACK) ? List.of(TEXT, REST) : List.of(TEXT));
			resources.addAll(algorithm.isBucket() ? List.of(FLOW, "FlowingBucket" + task + ".lua")
					: List.of(NUMBERS, "CountedWindows" + (task.equals(SYNC) ? "" : task) + ".lua"));
		}
		if (algorithm == Algorithm.SLIDING_WINDOW_COUNTER && !task.equals(GIVE_BACK)) {
			resources.add(SHARE);
		}
		resources.add(name(algorithm) + task + ".lua");
		return resources;
	}

	/**
	 * The name of an algorithm's scripts, which is that of its Java twin.
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

	/**
	 * The scripts for turns.
	 *
	 * @param take gives a turn
	 * @param release takes a turn back
	 */
	record TurnScripts(Script take, Script release) {
	}

}
