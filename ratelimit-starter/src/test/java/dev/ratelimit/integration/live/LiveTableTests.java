package dev.ratelimit.integration.live;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

import dev.ratelimit.fixture.Patience;
import dev.ratelimit.integration.support.App;
import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.rule.RuleSource;
import dev.ratelimit.rule.live.RateLimitRulesChangedEvent;
import dev.ratelimit.rule.live.RuleRefresh;
import io.micrometer.core.instrument.MeterRegistry;
import org.awaitility.Awaitility;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
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
			  rules: {open: {paths: /open, thresholds: 2/10m}, kept: {paths: /v1/product, thresholds: 2/10m}}
			""";

	/** With two databases, of which the setting names one. */
	@AutoClose
	private static App app;

	@BeforeAll
	static void start() {
		String named = SETTINGS.replace("table: ratelimit_rules", "table: ratelimit_rules, data-source: dataSource");
		app = App.start(named, Database.class, Other.class);
	}

	private static void refresh() {
		app.bean(RuleRefresh.class).refresh();
	}

	private static String limit(String path) {
		return app.get(path).headers().firstValue("x-ratelimit-limit").orElseThrow();
	}

	@Test
	@DisplayName("1.7 A row of a table is in force when the table is next read, without a request or a restart")
	void aRowIsInForceWithoutARequest() {
		try (App polling = App.start(SETTINGS.replace("refresh: 1h", "refresh: 100ms"), Database.class, Looks.class)) {
			Looks looks = polling.bean(Looks.class);
			polling.bean(RulesTable.class)
				.execute("insert into ratelimit_rules values ('open', 'paths: /open\nthresholds: 3/10m')");
			int before = looks.count.get();
			Awaitility.await().atMost(Patience.LONG).until(() -> looks.ofTheChange.get() > 0);
			// One look may have read the table just before.
			assertThat(looks.ofTheChange.get() - before).as("looks").isLessThanOrEqualTo(2);
			assertThat(polling.handled()).isZero();
			assertThat(polling.statuses(4, "GET", "/open")).containsExactly(200, 200, 200, 429);
		}
	}

	@Test
	void aRowLimitsTheNextRequest() {
		RulesTable table = app.bean(RulesTable.class);
		assertThat(limit("/open")).isEqualTo("2");
		table.execute("insert into ratelimit_rules values ('open', 'paths: /open\nthresholds: 3/10m')");
		refresh();
		assertThat(app.statuses(3, "GET", "/open")).containsExactly(200, 200, 429);
		table.execute("update ratelimit_rules set definition = '{paths: /open, thresholds: 4/10m}'");
		refresh();
		assertThat(app.statuses(2, "GET", "/open")).containsExactly(200, 429);
		table.execute("delete from ratelimit_rules");
		refresh();
		assertThat(limit("/open")).isEqualTo("2");
	}

	@Test
	void aTableThatIsGoneKeepsTheLastGoodRules() {
		RulesTable table = app.bean(RulesTable.class);
		table.execute("insert into ratelimit_rules values ('kept', 'paths: /v1/product\nthresholds: 3/10m')");
		refresh();
		table.execute("drop table ratelimit_rules");
		refresh();
		assertThat(limit("/v1/product")).isEqualTo("3");
		assertThat(app.bean(MeterRegistry.class)
			.get("ratelimit.rules.reloads")
			.tags("source", "jdbc", "outcome", "failure")
			.counter()
			.count()).isEqualTo(1);
		table.create();
		refresh();
		assertThat(limit("/v1/product")).isEqualTo("2");
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

	/** A source without rules, which is read right before the table. */
	static class Looks implements RuleSource {

		final AtomicInteger count = new AtomicInteger();

		final AtomicInteger ofTheChange = new AtomicInteger();

		@Override
		public RuleSet load() {
			this.count.incrementAndGet();
			return new RuleSet(List.of());
		}

		@EventListener(RateLimitRulesChangedEvent.class)
		void changed() {
			this.ofTheChange.set(this.count.get());
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
