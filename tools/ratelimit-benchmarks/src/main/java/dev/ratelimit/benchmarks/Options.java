package dev.ratelimit.benchmarks;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The {@code --name=value} options of a command line.
 *
 * @param values the values by name
 */
record Options(Map<String, String> values) {

	private static final List<String> NAMES = List.of("rounds", "millis", "calls", "keys", "workloads", "contenders",
			"directory");

	static Options of(String... args) {
		return new Options(Arrays.stream(args)
			.map(Options::pair)
			.collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
	}

	private static Map.Entry<String, String> pair(String argument) {
		int equals = argument.indexOf('=');
		String name = (equals > 2) ? argument.substring(2, equals) : argument;
		if (!NAMES.contains(name)) {
			throw new IllegalArgumentException(
					"Unknown option " + argument + ". There are: --NAME=VALUE with one of " + NAMES);
		}
		return Map.entry(name, argument.substring(equals + 1));
	}

	String text(String name, String otherwise) {
		return this.values.getOrDefault(name, otherwise);
	}

	List<String> names(String name, String otherwise) {
		String names = text(name, otherwise);
		return names.isEmpty() ? List.of() : List.of(names.split(",", -1));
	}

	int number(String name, int otherwise) {
		return Integer.parseInt(text(name, Integer.toString(otherwise)));
	}

}
