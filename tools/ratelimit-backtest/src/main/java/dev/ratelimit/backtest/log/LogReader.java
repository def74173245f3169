package dev.ratelimit.backtest.log;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * Reads a log from start to end, in the order of time. Lines that cannot be read or
 * sorted are counted and reported. Holds a few hundred lines, regardless of the size of
 * the log.
 */
public final class LogReader {

	/** With lines of the maximum length this is 16 MB. */
	private static final int WINDOW = 512;

	private static final int EXAMPLES = 5;

	/** Reading stops after this many broken lines without a request. */
	private static final int MANY_BROKEN = 1000;

	private final LogFormat format;

	private final BiConsumer<Instant, LogLine> requests;

	private final ReorderWindow window = new ReorderWindow(WINDOW);

	private final BrokenLines broken = new BrokenLines();

	private final List<Long> unsorted = new ArrayList<>();

	private long unsortedCount;

	private long lateCount;

	private long furthestBackMillis;

	private long lines;

	private long replayed;

	private long preflights;

	private boolean wholeSeconds = true;

	private Optional<Instant> above = Optional.empty();

	private Optional<Instant> first = Optional.empty();

	private Optional<Instant> now = Optional.empty();

	/**
	 * Create a reader.
	 * @param format the format of the log
	 * @param requests receives each request with the time at which to replay it, which
	 * never goes back
	 */
	public LogReader(LogFormat format, BiConsumer<Instant, LogLine> requests) {
		this.format = format;
		this.requests = requests;
	}

	/**
	 * Read a log, or only its beginning if that contains no request.
	 * @param file its name
	 * @param stream the log
	 * @param progress runs after every line
	 * @return the summary of the lines read
	 * @throws IOException if the stream cannot be read
	 */
	public LogSummary read(String file, InputStream stream, Runnable progress) throws IOException {
		LineReader reader = new LineReader(stream);
		Optional<RawLine> line = reader.next();
		while (line.isPresent() && (this.above.isPresent() || this.broken.count() < MANY_BROKEN)) {
			this.lines++;
			read(line.get());
			progress.run();
			line = reader.next();
		}
		Optional<LogLine> waiting = this.window.next();
		while (waiting.isPresent()) {
			replay(waiting.get());
			waiting = this.window.next();
		}
		return new LogSummary(file, this.format, this.lines, this.replayed, this.preflights, this.broken.summary(),
				new LogSummary.Unsorted(this.unsortedCount, this.lateCount, this.furthestBackMillis, this.unsorted),
				this.wholeSeconds, this.first, this.now);
	}

	private void read(RawLine raw) {
		if (raw.isBlank()) {
			return;
		}
		try {
			if (raw.tooLong()) {
				throw new BrokenLineException("is longer than " + LineReader.MAX_BYTES + " bytes");
			}
			LogLine line = this.format.parse(raw);
			noteOrder(line);
			if (line.method().equals("OPTIONS")) {
				this.preflights++;
			}
			else {
				this.window.add(line).ifPresent(this::replay);
			}
		}
		catch (BrokenLineException ex) {
			this.broken.add(raw, ex.reason());
		}
	}

	private void noteOrder(LogLine line) {
		this.wholeSeconds &= line.time().equals(line.time().truncatedTo(ChronoUnit.SECONDS));
		if (this.above.isPresent() && line.time().isBefore(this.above.get())) {
			this.unsortedCount++;
			this.furthestBackMillis = Math.max(this.furthestBackMillis,
					Duration.between(line.time(), this.above.get()).toMillis());
			if (this.unsorted.size() < EXAMPLES) {
				this.unsorted.add(line.number());
			}
		}
		this.above = Optional.of(line.time());
	}

	private void replay(LogLine line) {
		Instant time = line.time();
		if (this.now.isPresent() && time.isBefore(this.now.get())) {
			this.lateCount++;
			time = this.now.get();
		}
		this.first = this.first.or(() -> Optional.of(line.time()));
		this.now = Optional.of(time);
		this.replayed++;
		this.requests.accept(time, line);
	}

}
