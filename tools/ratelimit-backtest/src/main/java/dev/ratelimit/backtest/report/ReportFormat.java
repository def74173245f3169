package dev.ratelimit.backtest.report;

import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The format of a report.
 */
public enum ReportFormat {

	/** Readable tables and plots. */
	TEXT {
		@Override
		public String write(Report report) {
			return new TextReport(report).write();
		}
	},

	/** JSON for programs: all data of a {@link Report}, with the same names. */
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
