package dev.ratelimit.rule.live;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import javax.sql.DataSource;

import dev.ratelimit.rule.RuleSource;
import dev.ratelimit.rule.config.RuleText;
import dev.ratelimit.rule.config.YamlRules;

/**
 * The rows of a table of rules: {@code id} and, as YAML text, {@code definition}. Costs
 * one query per refresh, in plain SQL.
 */
public final class RuleTable {

	/** Far more than a table of rules needs. */
	private static final int MAX_ROWS = 10_000;

	private static final int MAX_CHARACTERS = 1 << 20;

	private final DataSource dataSource;

	private final String query;

	private final int timeoutSeconds;

	private final YamlRules yaml;

	private RuleTable(DataSource dataSource, String table, Duration queryTimeout, YamlRules yaml) {
		this.dataSource = dataSource;
		this.query = "select id, definition from " + table;
		this.timeoutSeconds = (int) Math.max(1, queryTimeout.toSeconds());
		this.yaml = yaml;
	}

	/**
	 * Read the rules of a table: at most 10,000 rows, 1 MB in total.
	 * @param dataSource provides connections
	 * @param table the table, with its schema where it needs one; used as it is
	 * @param queryTimeout the longest time of the query, in whole seconds
	 * @param yaml reads the rules
	 * @return its rules, parsed when they have changed
	 */
	public static RuleSource source(DataSource dataSource, String table, Duration queryTimeout, YamlRules yaml) {
		return new CachingRuleSource<>(new RuleTable(dataSource, table, queryTimeout, yaml)::rows, yaml::rules);
	}

	private List<RuleText> rows() {
		try (Connection connection = this.dataSource.getConnection()) {
			int before = networkTimeout(connection);
			setNetworkTimeout(connection, (this.timeoutSeconds + 1) * 1000);
			try {
				return rows(connection);
			}
			finally {
				setNetworkTimeout(connection, before);
			}
		}
		catch (SQLException ex) {
			throw this.yaml.invalid("cannot be read: " + ex.getMessage(),
					"See to it that it exists and can be read; dev/ratelimit/rule/live/rules-table.sql in the jar "
							+ "creates it");
		}
	}

	private List<RuleText> rows(Connection connection) throws SQLException {
		try (PreparedStatement statement = connection.prepareStatement(this.query)) {
			statement.setQueryTimeout(this.timeoutSeconds);
			statement.setMaxRows(MAX_ROWS + 1);
			try (ResultSet result = statement.executeQuery()) {
				return rows(result);
			}
		}
	}

	private static int networkTimeout(Connection connection) {
		try {
			return connection.getNetworkTimeout();
		}
		catch (SQLException | RuntimeException | AbstractMethodError ex) {
			return 0;
		}
	}

	/**
	 * Ends a read from a server that has fallen silent, which the timeout of a query does
	 * not. Not every driver can.
	 */
	private static void setNetworkTimeout(Connection connection, int millis) {
		try {
			connection.setNetworkTimeout(Runnable::run, millis);
		}
		catch (SQLException | RuntimeException | AbstractMethodError ex) {
			// It is not supported, or the connection is broken.
		}
	}

	/** Sorted, because the order of a query without one is undefined. */
	private List<RuleText> rows(ResultSet result) throws SQLException {
		List<RuleText> rows = new ArrayList<>();
		int characters = 0;
		while (result.next()) {
			RuleText row = new RuleText(text(result, "id"), text(result, "definition"));
			characters += row.id().length() + row.text().length();
			rows.add(row);
			if (rows.size() > MAX_ROWS || characters > MAX_CHARACTERS) {
				throw this.yaml.invalid(
						"holds more than " + MAX_ROWS + " rules, or more than " + MAX_CHARACTERS + " characters",
						"Name a table of rules");
			}
		}
		rows.sort(Comparator.comparing(RuleText::id).thenComparing(RuleText::text));
		return rows;
	}

	private static String text(ResultSet result, String column) throws SQLException {
		String text = result.getString(column);
		return (text != null) ? text : "";
	}

}
