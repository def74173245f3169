package dev.ratelimit.integration.live;

import javax.sql.DataSource;

import dev.ratelimit.integration.support.App;
import dev.ratelimit.rule.live.RuleRefresh;
import io.micrometer.core.instrument.MeterRegistry;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.NestedExceptionUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Rules in a table of an embedded database, over HTTP.
 */
class LiveTableTests {

	private static final String SETTINGS = """
			ratelimit:
			  store: memory
			  rule-source: {refresh: 1h, jdbc: {table: ratelimit_rules}}
			  rules: {open: {paths: /open, thresholds: 2/10m}}
			""";

	@Test
	@DisplayName("1.7 Rules are stored in a table, and a row that is inserted limits without a restart")
	void aRowLimitsTheNextRequest() {
		try (App app = App.start(SETTINGS, Database.class)) {
			RulesTable table = app.bean(RulesTable.class);
			assertThat(app.get("/open").headers().firstValue("x-ratelimit-limit")).contains("2");
			table.execute("insert into ratelimit_rules values ('open', 'paths: /open\nthresholds: 3/10m')");
			app.bean(RuleRefresh.class).look();
			assertThat(app.statuses(3, "GET", "/open")).containsExactly(200, 200, 429);
			table.execute("update ratelimit_rules set rule = '{paths: /open, thresholds: 4/10m}'");
			app.bean(RuleRefresh.class).look();
			assertThat(app.statuses(2, "GET", "/open")).containsExactly(200, 429);
			table.execute("delete from ratelimit_rules");
			app.bean(RuleRefresh.class).look();
			assertThat(app.get("/open").headers().firstValue("x-ratelimit-limit")).contains("2");
		}
	}

	@Test
	void aTableThatIsGoneKeepsTheLastGoodRules() {
		try (App app = App.start(SETTINGS, Database.class)) {
			RulesTable table = app.bean(RulesTable.class);
			table.execute("insert into ratelimit_rules values ('open', 'paths: /open\nthresholds: 3/10m')");
			app.bean(RuleRefresh.class).look();
			table.execute("drop table ratelimit_rules");
			app.bean(RuleRefresh.class).look();
			assertThat(app.get("/open").headers().firstValue("x-ratelimit-limit")).contains("3");
			assertThat(app.bean(MeterRegistry.class)
				.get("ratelimit.rules.reloads")
				.tags("source", "jdbc", "outcome", "failure")
				.counter()
				.count()).isEqualTo(1);
		}
	}

	@Test
	void withoutADatabaseTheStartNamesTheCure() {
		Throwable failure = catchThrowable(() -> App.start(SETTINGS).close());
		assertThat(NestedExceptionUtils.getMostSpecificCause(failure)).hasMessageContainingAll(
				"ratelimit.rule-source.jdbc.table", "has no DataSource to be read from",
				"Let Spring Boot configure a database");
	}

	@Test
	void ofSeveralDatabasesOneIsNamed() {
		Throwable failure = catchThrowable(() -> App.start(SETTINGS, Database.class, Other.class).close());
		assertThat(NestedExceptionUtils.getMostSpecificCause(failure))
			.hasMessageContainingAll("ratelimit.rule-source.jdbc.data-source", "[dataSource, otherDataSource]");
		String named = SETTINGS.replace("table: ratelimit_rules", "table: ratelimit_rules, data-source: dataSource");
		try (App app = App.start(named, Database.class, Other.class)) {
			assertThat(app.get("/open").statusCode()).isEqualTo(200);
		}
	}

	@Test
	void aNameThatIsNoTableIsRefused() {
		String wrong = SETTINGS.replace("table: ratelimit_rules", "table: 'rules; drop table users'");
		assertThat(catchThrowable(() -> App.start(wrong, Database.class).close()).getCause())
			.hasStackTraceContaining("ratelimit.rule-source.jdbc.table");
	}

	@Configuration(proxyBeanMethods = false)
	static class Database {

		@Bean
		DataSource dataSource() {
			JdbcDataSource dataSource = new JdbcDataSource();
			dataSource.setURL("jdbc:h2:mem:" + App.newPrefix() + ";DB_CLOSE_DELAY=-1");
			new RulesTable(dataSource).create();
			return dataSource;
		}

		@Bean
		RulesTable rulesTable(java.util.Map<String, DataSource> dataSources) {
			return new RulesTable(dataSources.get("dataSource"));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Other {

		@Bean
		DataSource otherDataSource() {
			return new JdbcDataSource();
		}

	}

}
