package dev.ratelimit.backtest.replay;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Records the facts that rules requested, and whether any line of the log contains them.
 * A fact that no line contains is probably not logged, and the rules treated it as
 * absent. The number of requested facts is finite.
 */
final class AskedFacts {

	private final Map<String, Boolean> contained = new TreeMap<>();

	/**
	 * Record that a rule requested a fact.
	 * @param fact the fact
	 * @param value the value
	 * @return the value
	 */
	Optional<String> note(String fact, Optional<String> value) {
		if (value.isPresent() || !this.contained.containsKey(fact)) {
			this.contained.merge(fact, value.isPresent(), Boolean::logicalOr);
		}
		return value;
	}

	/**
	 * The requested facts that no line contains.
	 * @return the facts, in no particular order
	 */
	List<String> missing() {
		return this.contained.entrySet().stream().filter((fact) -> !fact.getValue()).map(Map.Entry::getKey).toList();
	}

}
