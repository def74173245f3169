package dev.ratelimit.backtest.report;

import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * A form in which a report is written.
 */
public enum ReportFormat {

	/** Tables and plots for people. */
	TEXT {
		@Override
		public String write(Report report) {
			return new TextReport(report).write();
		}
	},

	/** For programs: all that is in a {@link Report}, by the names that it has there. */
	JSON {
		@Override
		public String write(Report report) {
			return JsonMapper.builder()
				.enable(SerializationFeature.INDENT_OUTPUT)
				.build()
				.writeValueAsString(report)
				.concat("\n");
		}
	};

	/**
	 * Write a report.
	 * @param report the report
	 * @return its text
	 */
	public abstract String write(Report report);

}
