package dev.ratelimit.backtest.replay;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Notes which facts rules asked for, and whether any line of the log told them: a fact
 * that none tells is probably not logged, and the rules took it as absent. Rules ask for
 * finitely many.
 */
final class AskedFacts {

	private final Map<String, Boolean> told = new TreeMap<>();

	/**
	 * A rule asked for a fact.
	 * @param fact the fact
	 * @param answer the answer
	 * @return the answer
	 */
	Optional<String> note(String fact, Optional<String> answer) {
		if (answer.isPresent() || !this.told.containsKey(fact)) {
			this.told.merge(fact, answer.isPresent(), Boolean::logicalOr);
		}
		return answer;
	}

	/**
	 * What nobody told.
	 * @return the facts, in no order that matters
	 */
	List<String> untold() {
		return this.told.entrySet().stream().filter((fact) -> !fact.getValue()).map(Map.Entry::getKey).toList();
	}

}
