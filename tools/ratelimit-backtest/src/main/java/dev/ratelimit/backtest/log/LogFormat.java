package dev.ratelimit.backtest.log;

import java.util.Locale;

/**
 * The form of a log.
 */
public enum LogFormat {

	/**
	 * The combined format, which Apache and nginx write by default, or its start, the
	 * common format.
	 */
	COMBINED {
		@Override
		LogLine parse(RawLine line) {
			return CombinedLine.parse(line);
		}

		@Override
		public boolean mayTellHeader(String name) {
			return name.equalsIgnoreCase("referer") || name.equalsIgnoreCase("user-agent");
		}
	},

	/** One JSON object per line. */
	JSON {
		@Override
		LogLine parse(RawLine line) {
			return JsonLine.parse(line);
		}

		@Override
		public boolean mayTellHeader(String name) {
			return true;
		}
	};

	/**
	 * Read a line.
	 * @param line the line
	 * @return the request
	 * @throws BrokenLineException if it contains none
	 */
	abstract LogLine parse(RawLine line);

	/**
	 * Whether a line may contain a header.
	 * @param name its name
	 * @return whether it may; with {@link #JSON} that depends on what the server logs
	 */
	public abstract boolean mayTellHeader(String name);

	/**
	 * The name of the format.
	 * @return its name in an option
	 */
	public String text() {
		return name().toLowerCase(Locale.ROOT);
	}

}
