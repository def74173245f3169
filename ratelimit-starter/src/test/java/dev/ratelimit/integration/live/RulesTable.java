package dev.ratelimit.integration.live;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

import javax.sql.DataSource;

import dev.ratelimit.rule.live.RuleTable;

/**
 * The table that is shipped, in a database of a test.
 */
record RulesTable(DataSource dataSource) {

	void create() {
		try (InputStream schema = RuleTable.class.getResourceAsStream("rules-table.sql")) {
			execute(new String(schema.readAllBytes(), StandardCharsets.UTF_8));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	void execute(String sql) {
		try (Connection connection = this.dataSource.getConnection();
				Statement statement = connection.createStatement()) {
			statement.execute(sql);
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
