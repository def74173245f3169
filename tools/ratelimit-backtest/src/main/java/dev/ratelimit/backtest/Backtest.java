package dev.ratelimit.backtest;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

import dev.ratelimit.backtest.log.LogReader;
import dev.ratelimit.backtest.log.LogSummary;
import dev.ratelimit.backtest.replay.RuleFile;
import dev.ratelimit.backtest.replay.UntoldFacts;
import dev.ratelimit.backtest.report.Report;
import dev.ratelimit.backtest.tally.Timeline;

/**
 * Reports which requests of an access log the given rules would have refused.
 */
public final class Backtest {

	private static final int DONE = 0;

	private static final int FAILED = 1;

	private static final int WRONG = 2;

	private final PrintStream out;

	private final PrintStream err;

	private final LongSupplier nanoTime;

	Backtest(PrintStream out, PrintStream err, LongSupplier nanoTime) {
		this.out = out;
		this.err = err;
		this.nanoTime = nanoTime;
	}

	/**
	 * Run the command. The exit status is 0; 1 if the log cannot be read to its end; 2 if
	 * an option or a rule is wrong.
	 * @param args see {@code --help}
	 */
	public static void main(String... args) {
		PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
		int end = new Backtest(out, System.err, System::nanoTime).run(args);
		out.flush();
		System.exit(end);
	}

	int run(String... args) {
		if (List.of(args).contains("--help")) {
			this.out.print(Options.HELP);
			return DONE;
		}
		try {
			Options options = options(args);
			this.out.print(options.output().write(replay(options)));
			return DONE;
		}
		catch (UsageException ex) {
			this.err.println(ex.getMessage());
			return WRONG;
		}
		catch (IOException ex) {
			this.err.println("The log cannot be read to its end: " + ex);
			return FAILED;
		}
	}

	private static Options options(String... args) {
		try {
			return Options.of(args);
		}
		catch (UsageException ex) {
			throw new UsageException(ex.getMessage() + "\n\n" + Options.HELP);
		}
	}

	private Report replay(Options options) throws IOException {
		Timeline timeline = new Timeline();
		List<Side> sides = new ArrayList<>();
		sides.add(side(options.rules(), options, timeline));
		options.compare().ifPresent((file) -> sides.add(side(file, options, timeline)));
		LogReader reader = new LogReader(options.format(), (now, line) -> {
			timeline.advance(now);
			sides.forEach((side) -> side.replay(now, line));
		});
		try (LogFile log = LogFile.open(options.log())) {
			Progress progress = new Progress(log::bytesRead, Files.size(options.log()), this.err, this.nanoTime);
			LogSummary summary = reader.read(options.log().toString(), log.stream(), progress);
			progress.end();
			if (summary.hasOnlyBrokenLines()) {
				throw new UsageException(otherFormat(summary));
			}
			return new Report(summary, timeline.slices(), sides.stream().map((side) -> side.result(summary)).toList());
		}
	}

	private static String otherFormat(LogSummary log) {
		LogSummary.Example first = log.broken().first().get(0);
		return """
				--log %s has no line that can be read as %s: looked at its first %,d lines.
				  line %d %s: %s
				--format combined reads what Apache and nginx write by default, --format json an object per line."""
			.formatted(log.file(), log.format().text(), log.lines(), first.line(), first.reason(), first.text());
	}

	private static Side side(Path file, Options options, Timeline timeline) {
		return RuleErrors.explain(file.toString(),
				() -> new Side(UntoldFacts.check(RuleFile.read(file), options.format(), options.skipUntold()),
						timeline));
	}

}
