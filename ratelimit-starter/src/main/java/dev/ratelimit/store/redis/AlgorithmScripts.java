package dev.ratelimit.store.redis;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.ratelimit.spi.LimitScope;
import dev.ratelimit.store.redis.resp.Script;

/**
 * The scripts of a format: one text that reads, judges and writes, behind which the file
 * of a mode calls it. Tested by {@code ScriptTests}.
 *
 * @param take decides and takes permits
 * @param count counts permits that were admitted without a call; for fixed windows and
 * counters only
 * @param ahead takes permits ahead
 * @param peek reads what is left, and takes nothing
 * @param release releases permits
 * @param turn gives turns and takes them back; empty if the algorithm has none
 */
record AlgorithmScripts(Script take, Script count, Script ahead, Script peek, Script release,
		Optional<TurnScripts> turn) {

	/**
	 * Load all scripts.
	 * @param clock calls {@code decide(now)}
	 * @return the scripts by format
	 */
	static Map<StoredFormat, AlgorithmScripts> load(String clock) {
		Map<StoredFormat, AlgorithmScripts> scripts = new EnumMap<>(StoredFormat.class);
		for (StoredFormat format : StoredFormat.values()) {
			scripts.put(format, of(format, clock));
		}
		return scripts;
	}

	/** On Redis' own clock. */
	static Map<StoredFormat, AlgorithmScripts> load() {
		return load(Script.read(Script.CLOCK));
	}

	private static AlgorithmScripts of(StoredFormat format, String clock) {
		String decision = Script.readAll(format.decision());
		Script release = Script.of(Script.readAll(format.release()));
		return of(decision, release, turn(format, decision + Script.read("Limit.lua"), release, clock), clock);
	}

	/** Those of limits that a module counts. */
	static AlgorithmScripts of(LimitScope scope, String clock) {
		return of(Script.readAll(scope.decision()), Script.of(Script.readAll(scope.release())), Optional.empty(),
				clock);
	}

	private static AlgorithmScripts of(String decision, Script release, Optional<TurnScripts> turn, String clock) {
		String ofOneKey = decision + Script.read("Limit.lua");
		return new AlgorithmScripts(
				Script.ofManyKeys(decision + Script.readAll(List.of("Take.lua", "Keys.lua")) + clock),
				Script.ofManyKeys(decision + Script.readAll(List.of("Count.lua", "Keys.lua")) + clock),
				Script.of(ofOneKey + Script.read("Ahead.lua") + clock),
				Script.of(ofOneKey + Script.read("Peek.lua") + clock), release, turn);
	}

	private static Optional<TurnScripts> turn(StoredFormat format, String ofOneKey, Script release, String clock) {
		return switch (format) {
			case SLIDING_WINDOW_LOG -> Optional
				.of(new TurnScripts(Script.of(ofOneKey + Script.read("SlidingWindowLogTurn.lua") + clock), release));
			case LEAKY_BUCKET ->
				Optional.of(new TurnScripts(Script.of(ofOneKey + Script.read("LeakyBucketTurn.lua") + clock),
						Script.load("ReadText.lua", "StoreOrForget.lua", "Flow.lua", "LeakyBucketTurnRelease.lua")));
			default -> Optional.empty();
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
