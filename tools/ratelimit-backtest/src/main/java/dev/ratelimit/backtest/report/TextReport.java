package dev.ratelimit.backtest.report;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

import dev.ratelimit.backtest.log.LogSummary;
import dev.ratelimit.backtest.tally.HeavyClient;
import dev.ratelimit.backtest.tally.RuleResult;
import dev.ratelimit.backtest.tally.RuleSetResult;
import dev.ratelimit.backtest.tally.Slices;

/**
 * A readable report.
 */
final class TextReport {

	private final Report report;

	private final StringBuilder text = new StringBuilder();

	TextReport(Report report) {
		this.report = report;
	}

	String write() {
		writeLog(this.report.log());
		List<RuleSetResult> ruleSets = this.report.ruleSets();
		if (ruleSets.size() > 1) {
			line("");
			this.text.append(comparison(ruleSets.get(0), ruleSets.get(1)));
		}
		ruleSets.forEach(this::writeRules);
		return this.text.toString();
	}

	private void writeLog(LogSummary log) {
		line("%s (%s): %,d lines, %,d requests replayed%s", log.file(), log.format().text(), log.lines(),
				log.replayed(), log.from().map((from) -> ", " + from + " to " + log.to().orElse(from)).orElse(""));
		writeBroken(log.broken());
		writeUnsorted(log.unsorted());
		if (log.preflights() > 0) {
			line("  preflights: %,d OPTIONS requests are taken for CORS preflights, which are neither counted nor refused",
					log.preflights());
		}
	}

	private void writeBroken(LogSummary.Broken broken) {
		if (broken.count() > 0) {
			line("  broken lines: %,d (%s)", broken.count(),
					broken.byReason()
						.entrySet()
						.stream()
						.map((reason) -> String.format(Locale.ROOT, "%,d %s", reason.getValue(), reason.getKey()))
						.collect(Collectors.joining(", ")));
			broken.first()
				.forEach((example) -> line("    line %,d %s: %s", example.line(), example.reason(), example.text()));
		}
	}

	private void writeUnsorted(LogSummary.Unsorted unsorted) {
		if (unsorted.count() > 0) {
			line("  unsorted lines: %,d are dated before the line above them (first %s; by at most %,.1f s); %,d came too late to be sorted in and count as of the latest time",
					unsorted.count(),
					unsorted.first().stream().map(Object::toString).collect(Collectors.joining(", ", "line ", "")),
					unsorted.furthestBackMillis() / 1000.0, unsorted.late());
		}
	}

	private static String comparison(RuleSetResult one, RuleSetResult other) {
		Table table = new Table();
		table.row(List.of("rule", "admitted", "->", "", "refused", "->", "", "difference"));
		Set<String> ids = new LinkedHashSet<>();
		one.rules().forEach((rule) -> ids.add(rule.id()));
		other.rules().forEach((rule) -> ids.add(rule.id()));
		for (String id : ids) {
			Optional<RuleResult> before = one.find(id);
			Optional<RuleResult> after = other.find(id);
			table.row(compared(id, before.map(RuleResult::admitted), after.map(RuleResult::admitted),
					before.map(RuleResult::refused), after.map(RuleResult::refused)));
		}
		table.row(compared("all requests", Optional.of(one.admitted()), Optional.of(other.admitted()),
				Optional.of(one.refused()), Optional.of(other.refused())));
		return "%s -> %s%n%n".formatted(one.file(), other.file()) + table.write();
	}

	private static List<String> compared(String name, Optional<Long> admitted, Optional<Long> admittedThen,
			Optional<Long> refused, Optional<Long> refusedThen) {
		String difference = String.format(Locale.ROOT, "%+,d refused", refusedThen.orElse(0L) - refused.orElse(0L));
		return List.of(name, number(admitted), "->", number(admittedThen), number(refused), "->", number(refusedThen),
				difference);
	}

	private static String number(Optional<Long> number) {
		return number.map((value) -> String.format(Locale.ROOT, "%,d", value)).orElse("-");
	}

	private void writeRules(RuleSetResult result) {
		line("");
		line("%s: %,d requests admitted, %,d refused (%s); %,d matched no rule", result.file(), result.admitted(),
				result.refused(), share(result.refused(), result.admitted()), result.unmatched());
		result.warnings().forEach((warning) -> line("  ! %s", warning));
		line("");
		Table table = new Table();
		table.row(List.of("rule", "admitted", "refused", "", "released", "not asked", "not applied", "bytes/key"));
		result.rules().forEach((rule) -> table.row(row(rule)));
		this.text.append(table.write());
		result.rules().forEach(this::writeHardestHit);
		this.report.time().ifPresent((time) -> writePlot(result, time));
	}

	private static List<String> row(RuleResult rule) {
		return List.of(rule.id() + (rule.shadow() ? " (shadow)" : ""), number(Optional.of(rule.admitted())),
				number(Optional.of(rule.refused())), share(rule.refused(), rule.admitted() + rule.released()),
				number(Optional.of(rule.released())), number(Optional.of(rule.notAsked())),
				number(Optional.of(rule.skipped())), number(Optional.of(rule.peakBytesPerKey())));
	}

	private static String share(long refused, long others) {
		return String.format(Locale.ROOT, "%.1f %%", 100.0 * refused / Math.max(1, refused + others));
	}

	private void writeHardestHit(RuleResult rule) {
		if (rule.hardestHit().isEmpty()) {
			return;
		}
		line("");
		line("%s refused most often", rule.id());
		for (HeavyClient client : rule.hardestHit()) {
			line("  %,9d  %s%s", client.refused(), client.client(), (client.overcountAtMost() == 0) ? ""
					: String.format(Locale.ROOT, " (at most %,d too many)", client.overcountAtMost()));
		}
	}

	private void writePlot(RuleSetResult result, Slices time) {
		int width = result.rules().stream().mapToInt((rule) -> rule.id().length()).max().orElse(0);
		line("");
		line("%d slices of %s from %s", time.count(), length(time.seconds()), time.start());
		for (RuleResult rule : result.rules()) {
			String id = rule.id() + " ".repeat(width - rule.id().length());
			plot(id + "  admitted", rule.admittedOverTime());
			plot(" ".repeat(width) + "  refused ", rule.refusedOverTime());
		}
	}

	/** Slices have lengths such as 1, 5, 10 or 30 seconds or minutes. */
	private static String length(long seconds) {
		if (seconds % 86_400 == 0) {
			return seconds / 86_400 + "d";
		}
		if (seconds % 3600 == 0) {
			return seconds / 3600 + "h";
		}
		return (seconds % 60 == 0) ? seconds / 60 + "m" : seconds + "s";
	}

	private void plot(String name, List<Long> values) {
		long highest = values.stream().mapToLong(Long::longValue).max().orElse(0);
		line("%s |%s| at most %,d", name, Sparkline.of(values, highest), highest);
	}

	private void line(String format, Object... arguments) {
		this.text.append(String.format(Locale.ROOT, format, arguments)).append('\n');
	}

}
