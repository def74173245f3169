package dev.ratelimit.rule.source;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

import dev.ratelimit.rule.InvalidRuleException;

/**
 * Collects what is wrong and what is odd, so that all of it can be told at once.
 */
final class Findings {

	private final Set<Problem> problems = new LinkedHashSet<>();

	private final List<String> warnings = new ArrayList<>();

	void problem(Setting setting, String reason, String cure) {
		problem(new Problem(setting.name(), setting.text(), Optional.of(setting.origin()), reason, cure));
	}

	void problem(Problem problem) {
		this.problems.add(problem);
	}

	void warning(String warning) {
		this.warnings.add(warning);
	}

	/**
	 * Convert a value, and keep what is wrong with it.
	 * @param <T> what it becomes
	 * @param setting the setting
	 * @param converter reads its text
	 * @return the value; empty if it is wrong
	 */
	<T> Optional<T> convert(Setting setting, Function<String, T> converter) {
		try {
			return Optional.of(converter.apply(setting.text()));
		}
		catch (InvalidRuleException ex) {
			problem(setting, ex.reason(), ex.cure());
			return Optional.empty();
		}
	}

	int count() {
		return this.problems.size();
	}

	List<String> warnings() {
		return List.copyOf(this.warnings);
	}

	/**
	 * Go on only if nothing is wrong.
	 * @throws InvalidSettingsException if something is
	 */
	void throwIfAny() {
		if (!this.problems.isEmpty()) {
			throw new InvalidSettingsException(this.problems);
		}
	}

}
