package dev.ratelimit.rule.config;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

import dev.ratelimit.rule.InvalidRuleException;

/**
 * Collects errors and warnings, so that all of them can be reported at once.
 */
final class Findings {

	private final Set<Problem> problems = new LinkedHashSet<>();

	private final List<String> warnings = new ArrayList<>();

	void problem(Problem problem) {
		this.problems.add(problem);
	}

	void warning(String warning) {
		this.warnings.add(warning);
	}

	/**
	 * Convert a value, and record an error if it is wrong.
	 * @param <T> the type of the value
	 * @param setting the setting
	 * @param text its text, or an element of it
	 * @param converter converts the text
	 * @return the value; empty if it is wrong
	 */
	<T> Optional<T> convert(Setting setting, String text, Function<String, T> converter) {
		try {
			return Optional.of(converter.apply(text));
		}
		catch (InvalidRuleException ex) {
			problem(new Problem(setting.name(), text, Optional.of(setting.origin()), ex.reason(), ex.cure()));
			return Optional.empty();
		}
	}

	List<String> warnings() {
		return List.copyOf(this.warnings);
	}

	/**
	 * Throw an exception if there are errors.
	 * @throws InvalidSettingsException if there are errors
	 */
	void throwIfAny() {
		if (!this.problems.isEmpty()) {
			throw new InvalidSettingsException(this.problems);
		}
	}

}
