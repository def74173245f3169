package dev.ratelimit.backtest;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.spi.InvalidSettingsException;
import dev.ratelimit.spi.Problem;

/**
 * Reports errors in a file of rules as the start of an application does.
 */
final class RuleErrors {

	private RuleErrors() {
	}

	/**
	 * Perform an operation on a file of rules.
	 * @param <T> the type of the result
	 * @param file the name of the file
	 * @param work the operation
	 * @return its result
	 * @throws UsageException if the file contains an error
	 */
	static <T> T explain(String file, Supplier<T> work) {
		try {
			return work.get();
		}
		catch (RuntimeException ex) {
			throw new UsageException(file + ":\n  " + String.join("\n  ", reasons(ex)));
		}
	}

	private static List<String> reasons(RuntimeException failure) {
		List<String> reasons = new ArrayList<>();
		Throwable cause = failure;
		while (cause != null) {
			if (cause instanceof InvalidSettingsException invalid) {
				return invalid.problems().stream().map(Problem::toString).toList();
			}
			if (cause instanceof InvalidRuleException invalid) {
				return List.of(new Problem("ratelimit." + invalid.property(), invalid.value(), Optional.empty(),
						invalid.reason(), invalid.cure())
					.toString());
			}
			reasons.add(String.valueOf(cause.getMessage()).strip().replace("\n", "\n    "));
			cause = cause.getCause();
		}
		return reasons;
	}

}
