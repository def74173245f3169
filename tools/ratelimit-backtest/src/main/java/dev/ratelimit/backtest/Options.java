package dev.ratelimit.backtest;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

import dev.ratelimit.backtest.log.LogFormat;
import dev.ratelimit.backtest.report.ReportFormat;

/**
 * The options of the command.
 *
 * @param rules the file of rules
 * @param log the log, which may be compressed by gzip
 * @param compare another file of rules
 * @param format the format of the log
 * @param output the format of the report
 * @param skipUntold whether rules that need facts that no log contains are left out
 */
record Options(Path rules, Path log, Optional<Path> compare, LogFormat format, ReportFormat output,
		boolean skipUntold) {

	static final String HELP = """
			Usage: java -jar ratelimit-backtest.jar --rules rules.yml --log access.log [OPTIONS]

			Replays an access log through rate limit rules, on the clock of the log, and reports what they
			would have refused.

			  --rules FILE             rules as in application.yml (.yml, .yaml or .properties)
			  --log FILE               the log, as it is or compressed by gzip
			  --compare FILE           other rules, to be shown beside the first ones
			  --format combined|json   how the log is written [combined]
			  --output text|json       how to write the report [text]
			  --skip-untold            leave out rules that need facts that no log contains
			""";

	private static final String SKIP_UNTOLD = "skip-untold";

	private static final List<String> NAMES = List.of("rules", "log", "compare", "format", "output");

	static Options of(String... args) {
		Map<String, String> values = new HashMap<>();
		for (int i = 0; i < args.length; i++) {
			int equals = args[i].indexOf('=');
			String name = name((equals < 0) ? args[i] : args[i].substring(0, equals));
			String value = "";
			if (equals >= 0) {
				value = args[i].substring(equals + 1);
			}
			else if (!name.equals(SKIP_UNTOLD)) {
				i++;
				value = (i < args.length) ? args[i] : "";
			}
			if (value.isEmpty() == !name.equals(SKIP_UNTOLD)) {
				throw new UsageException("--" + name + (value.isEmpty() ? " needs a value." : " takes no value."));
			}
			if (values.put(name, value) != null) {
				throw new UsageException("--" + name + " is given twice.");
			}
		}
		return new Options(rules(required(values, "rules"), "rules"), file(required(values, "log"), "log"),
				Optional.ofNullable(values.get("compare")).map((path) -> rules(path, "compare")),
				oneOf(LogFormat.values(), values, "format"), oneOf(ReportFormat.values(), values, "output"),
				values.containsKey(SKIP_UNTOLD));
	}

	private static String name(String argument) {
		String name = argument.startsWith("--") ? argument.substring(2) : "";
		if (!NAMES.contains(name) && !name.equals(SKIP_UNTOLD)) {
			throw new UsageException("There is no option " + argument + ".");
		}
		return name;
	}

	private static String required(Map<String, String> values, String name) {
		String value = values.get(name);
		if (value == null) {
			throw new UsageException("--" + name + " is missing.");
		}
		return value;
	}

	private static Path rules(String path, String name) {
		if (!path.matches("(?i).*\\.(ya?ml|properties)")) {
			throw new UsageException("--" + name + " " + path + " does not end in .yml, .yaml or .properties.");
		}
		return file(path, name);
	}

	private static Path file(String path, String name) {
		Path file = Path.of(path);
		if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
			throw new UsageException("--" + name + " " + path + " is not a file that can be read.");
		}
		return file;
	}

	/** Returns the first value if the option is absent. */
	private static <T extends Enum<T>> T oneOf(T[] all, Map<String, String> values, String name) {
		String value = values.getOrDefault(name, all[0].name().toLowerCase(Locale.ROOT));
		for (T one : all) {
			if (one.name().toLowerCase(Locale.ROOT).equals(value)) {
				return one;
			}
		}
		throw new UsageException("--" + name + " " + value + " is none of "
				+ String.join(", ", List.of(all).stream().map((one) -> one.name().toLowerCase(Locale.ROOT)).toList())
				+ ".");
	}

}
