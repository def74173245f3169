package dev.ratelimit.rule.config;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import dev.ratelimit.spi.InvalidSettingsException;
import dev.ratelimit.spi.Problem;

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
