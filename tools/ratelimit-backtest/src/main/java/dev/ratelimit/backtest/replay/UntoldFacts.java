package dev.ratelimit.backtest.replay;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.backtest.log.LogFormat;
import dev.ratelimit.rule.Condition;
import dev.ratelimit.rule.Cost;
import dev.ratelimit.rule.KeySource;
import dev.ratelimit.rule.Mode;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.spi.InvalidSettingsException;
import dev.ratelimit.spi.Problem;

/**
 * Finds the rules that need facts that no line of a log contains.
 */
public final class UntoldFacts {

	private UntoldFacts() {
	}

	/**
	 * Check the rules of a file.
	 * @param file the file
	 * @param format the format of the log
	 * @param skip whether to leave such rules out instead of refusing them
	 * @return the file, without the rules that were left out
	 * @throws InvalidSettingsException if there are such rules; it names them all
	 */
	public static RuleFile check(RuleFile file, LogFormat format, boolean skip) {
		List<Problem> problems = new ArrayList<>();
		List<RLConfig> replayable = new ArrayList<>();
		List<String> warnings = new ArrayList<>();
		for (RLConfig rule : file.rules().enabled()) {
			List<Problem> found = problems(rule, format);
			if (rule.requests().paths().isEmpty()) {
				warnings.add("Rule '%s' has no paths and acts only where code names it: it is not replayed."
					.formatted(rule.id()));
			}
			else if (found.isEmpty()) {
				replayable.add(rule);
				warnings.addAll(differences(rule));
			}
			else {
				problems.addAll(found);
				found.forEach((problem) -> warnings.add("Left out: " + problem));
			}
		}
		if (!skip && !problems.isEmpty()) {
			throw new InvalidSettingsException(problems);
		}
		return file.with(new RuleSet(replayable), warnings);
	}

	private static List<String> differences(RLConfig rule) {
		List<String> differences = new ArrayList<>();
		if (rule.counting().mode().kind() != Mode.ModeKind.STRICT) {
			differences.add("Rule '%s' is replayed as if its mode were strict.".formatted(rule.id()));
		}
		if (rule.enforcement().onLimit().isHandledLater()) {
			differences.add("Rule '%s' is replayed as if it refused what it enqueues.".formatted(rule.id()));
		}
		return differences;
	}

	private static List<Problem> problems(RLConfig rule, LogFormat format) {
		List<Problem> problems = new ArrayList<>();
		for (KeySource source : rule.key().sources()) {
			problem(rule, "key", source, format).ifPresent(problems::add);
		}
		rule.allowances()
			.plans()
			.key()
			.flatMap((source) -> problem(rule, "plan-key", source, format))
			.ifPresent(problems::add);
		if (rule.requests().when() instanceof Condition.BeanCondition) {
			problems.add(ofBean(rule, "when", rule.requests().when()));
		}
		if (rule.counting().cost() instanceof Cost.BeanCost) {
			problems.add(ofBean(rule, "cost", rule.counting().cost()));
		}
		return problems;
	}

	private static Optional<Problem> problem(RLConfig rule, String key, KeySource source, LogFormat format) {
		return switch (source.kind()) {
			case IP, GLOBAL, PATH, QUERY, PRINCIPAL -> Optional.empty();
			case HEADER ->
				format.mayTellHeader(source.name()) ? Optional.empty() : Optional.of(ofHeader(rule, key, source));
			case COOKIE -> format.mayTellHeader("cookie") ? Optional.empty() : Optional.of(ofHeader(rule, key, source));
			case CLAIM, SESSION -> Optional.of(problem(rule, key, source, "is contained in no access log",
					"Count by principal, which logs contain, for about the same result, or leave such rules out with --skip-untold"));
			case BEAN, ARG -> Optional.of(ofBean(rule, key, source));
		};
	}

	private static Problem ofHeader(RLConfig rule, String key, KeySource source) {
		return problem(rule, key, source, "is not contained in a log in the combined format",
				"Log it as JSON and use --format json, or leave such rules out with --skip-untold");
	}

	private static Problem ofBean(RLConfig rule, String key, Object value) {
		return problem(rule, key, value, "is available only in the running application",
				"Use a fact that the log contains, or leave such rules out with --skip-untold");
	}

	private static Problem problem(RLConfig rule, String key, Object value, String reason, String cure) {
		return new Problem("ratelimit.rules." + rule.id() + "." + key, value.toString(), Optional.empty(), reason,
				cure);
	}

}
