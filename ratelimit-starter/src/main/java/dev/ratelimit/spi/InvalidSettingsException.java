package dev.ratelimit.spi;

import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Settings are wrong. All errors found are reported at once, each with its property,
 * value, origin, reason and cure.
 */
public class InvalidSettingsException extends IllegalArgumentException {

	private static final long serialVersionUID = 1L;

	private final transient List<Problem> problems;

	/**
	 * Create the exception.
	 * @param problems the problems; at least one
	 */
	public InvalidSettingsException(Collection<Problem> problems) {
		super(problems.stream()
			.map(Problem::toString)
			.collect(Collectors.joining(System.lineSeparator() + "  ",
					"Rate limit settings are not valid:" + System.lineSeparator() + "  ", "")));
		this.problems = List.copyOf(problems);
	}

	/**
	 * The problems.
	 * @return the problems, in the order in which they were found
	 */
	public List<Problem> problems() {
		return this.problems;
	}

}
