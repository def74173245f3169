package dev.ratelimit.rule.live;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RuleSource;
import dev.ratelimit.rule.config.YamlRules;
import dev.ratelimit.spi.InvalidSettingsException;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.core.env.StandardEnvironment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

class RuleTableTests {

	private final JdbcConnectionPool pool = JdbcConnectionPool
		.create("jdbc:h2:mem:rules" + System.identityHashCode(this) + ";DB_CLOSE_DELAY=-1", "sa", "");

	private final RuleSource source = RuleTable.source(this.pool, "ratelimit_rules", Duration.ofSeconds(2),
			new YamlRules(new StandardEnvironment(), "ratelimit.rule-source.jdbc.table", "ratelimit_rules"));

	@BeforeEach
	void create() throws Exception {
		try (InputStream schema = RuleTable.class.getResourceAsStream("rules-table.sql")) {
			execute(new String(schema.readAllBytes(), StandardCharsets.UTF_8));
		}
	}

	@AfterEach
	void close() throws SQLException {
		execute("shutdown");
		this.pool.dispose();
	}

	private void execute(String sql) throws SQLException {
		try (Connection connection = this.pool.getConnection(); Statement statement = connection.createStatement()) {
			statement.execute(sql);
		}
	}

	private String refusal() {
		return catchThrowableOfType(InvalidSettingsException.class, this.source::load).getMessage();
	}

	@Test
	void theRowsOfTheShippedTableAreRead() throws SQLException {
		assertThat(this.source.load().rules()).isEmpty();
		execute("insert into ratelimit_rules values ('login', 'paths: /login\nthresholds: 5/1m')");
		execute("insert into ratelimit_rules (id, definition) values ('api', '{paths: /api/**, thresholds: 9/1m}')");
		assertThat(this.source.load().rules()).extracting(RLConfig::id).containsExactlyInAnyOrder("login", "api");
		assertThat(this.source.load()).as("the same rows are not parsed again").isSameAs(this.source.load());
	}

	@Test
	void aRefusalNamesTheRowTheLineAndTheCure() throws SQLException {
		execute("insert into ratelimit_rules values ('login', 'paths: /login\nthreshold: 5/1m')");
		assertThat(refusal()).contains(
				"ratelimit.rules.login.threshold '5/1m' (ratelimit_rules, rule 'login' - 2:12) belongs to no key",
				"Did you mean thresholds?");
	}

	@Test
	void aMissingTableIsNamedWithItsCure() throws SQLException {
		execute("drop table ratelimit_rules");
		assertThat(refusal()).contains("ratelimit.rule-source.jdbc.table 'ratelimit_rules' cannot be read",
				"dev/ratelimit/rule/live/rules-table.sql in the jar");
	}

	@Test
	void aRowWithoutARuleIsRefused() throws SQLException {
		execute("alter table ratelimit_rules alter column definition drop not null");
		execute("insert into ratelimit_rules values ('login', null)");
		assertThat(refusal()).contains("rule 'login'' is empty");
	}

	@Test
	void noConnectionIsLeftOpen() throws SQLException {
		execute("insert into ratelimit_rules values ('login', 'thresholds: 5')");
		for (int i = 0; i < 100; i++) {
			assertThat(refusal()).contains("'5'");
		}
		assertThat(this.pool.getActiveConnections()).isZero();
	}

}
