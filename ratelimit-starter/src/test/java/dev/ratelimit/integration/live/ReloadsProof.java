package dev.ratelimit.integration.live;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;

import javax.sql.DataSource;

import dev.ratelimit.fixture.FaultProxy;
import dev.ratelimit.integration.support.App;
import dev.ratelimit.limiter.rules.ActiveRules;
import dev.ratelimit.rule.RuleSource;
import dev.ratelimit.rule.config.YamlRules;
import dev.ratelimit.rule.live.RuleRefresh;
import dev.ratelimit.rule.live.RuleTable;
import dev.ratelimit.spi.InvalidSettingsException;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.core.env.StandardEnvironment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Ten thousand changes of the rules under load, and a table in PostgreSQL that becomes
 * unavailable and available again.
 */
@Tag("proof-reloads")
class ReloadsProof {

	private static final int RELOADS = 10_000;

	private static final long HEAP_BYTES = 4L << 20;

	private static final Duration REFRESH = Duration.ofSeconds(1);

	/** How late the thread that reads the table may be on a busy machine. */
	private static final Duration LATE = Duration.ofSeconds(5);

	@TempDir
	Path directory;

	@Test
	void tenThousandReloadsUnderLoad() {
		try (ReloadRound round = new ReloadRound(this.directory)) {
			round.reload(200);
			ReloadRound.Footprint before = round.footprint();
			long heapBefore = heap();
			long start = System.nanoTime();
			round.reload(RELOADS);
			double seconds = (System.nanoTime() - start) / 1e9;
			long heapMore = heap() - heapBefore;
			System.out.printf(Locale.ROOT,
					"P24 %,d reloads in %.0f s, %,d responses: %d of no rule set, heap %+.1f MiB, before %s, after %s%n",
					RELOADS, seconds, round.answers(), round.unexplained().size(), heapMore / 1048576.0, before,
					round.footprint());
			assertThat(round.unexplained()).isEmpty();
			assertThat(round.setsSeen()).isEqualTo(2);
			round.footprint().assertHasNotGrown(before);
			assertThat(heapMore).isLessThanOrEqualTo(HEAP_BYTES);
		}
	}

	@Test
	@DisplayName("1.7 A row of a table in PostgreSQL is in force within refresh, and the table may go away and come back")
	void aTableInPostgresqlGoesAwayAndComesBack() throws IOException {
		boolean required = "required".equals(System.getProperty("proof.postgresql"));
		if (!required && !Postgres.isInstalled()) {
			System.out.println("P25 is not shown: neither the PATH nor /usr/lib/postgresql has a PostgreSQL (apt-get "
					+ "install postgresql; -Dproof.postgresql=required insists)");
			Assumptions.abort("There is no PostgreSQL");
		}
		try (Postgres postgres = Postgres.start()) {
			DataSource dataSource = dataSource(postgres.port());
			RulesTable table = new RulesTable(dataSource);
			table.create();
			Duration delay;
			try (App app = start(postgres, REFRESH.toMillis() + "ms")) {
				delay = untilInForce(app, table);
			}
			try (App app = start(postgres, "1h")) {
				insertChangeAndDelete(app, table);
				goAwayAndComeBack(app, postgres, table);
			}
			fallSilent(postgres);
			System.out
				.printf("P25 a table in PostgreSQL: at a refresh of %d ms a row was in force after %d ms, without a "
						+ "request; the server stopped, the last good rules stayed; it came back, and its rows were "
						+ "in force; it fell silent, and the read ended%n", REFRESH.toMillis(), delay.toMillis());
		}
	}

	private static App start(Postgres postgres, String refresh) {
		return App.start("""
				ratelimit:
				  store: memory
				  rule-source: {refresh: %s, jdbc: {table: ratelimit_rules}}
				test.postgres.port: %d
				""".formatted(refresh, postgres.port()), Database.class);
	}

	/** How long it takes until a row is in force, while no request arrives. */
	private static Duration untilInForce(App app, RulesTable table) {
		table.execute("insert into ratelimit_rules values ('open', 'paths: /open\nthresholds: 2/10m')");
		long start = System.nanoTime();
		await().pollInterval(Duration.ofMillis(10))
			.atMost(REFRESH.plus(LATE))
			.until(() -> app.bean(ActiveRules.class)
				.get()
				.enabled()
				.stream()
				.anyMatch((rule) -> rule.id().equals("open")));
		Duration delay = Duration.ofNanos(System.nanoTime() - start);
		assertThat(app.handled()).isZero();
		assertThat(app.statuses(3, "GET", "/open")).containsExactly(200, 200, 429);
		table.execute("delete from ratelimit_rules");
		return delay;
	}

	private static void insertChangeAndDelete(App app, RulesTable table) {
		assertThat(limit(app)).isEqualTo("none");
		table.execute("insert into ratelimit_rules values ('open', 'paths: /open\nthresholds: 3/10m')");
		assertThat(limit(app)).isEqualTo("3");
		table.execute("delete from ratelimit_rules");
		assertThat(limit(app)).isEqualTo("none");
		table.execute("insert into ratelimit_rules values ('open', '{paths: /open, thresholds: 4/10m}')");
		assertThat(limit(app)).isEqualTo("4");
	}

	private static void goAwayAndComeBack(App app, Postgres postgres, RulesTable table) throws IOException {
		postgres.stop();
		assertThat(limit(app)).isEqualTo("4");
		assertThat(app.get("/actuator/ratelimits").body()).contains("cannot be read");
		postgres.run();
		table.execute("update ratelimit_rules set definition = '{paths: /open, thresholds: 5/10m}'");
		assertThat(limit(app)).isEqualTo("5");
		assertThat(app.get("/actuator/ratelimits").body()).doesNotContain("cannot be read");
	}

	/** A read that nothing ends would be the last one. */
	private static void fallSilent(Postgres postgres) {
		try (FaultProxy network = FaultProxy.to(postgres.port())) {
			PGSimpleDataSource dataSource = new PGSimpleDataSource() {

				@Override
				public Connection getConnection() throws SQLException {
					Connection connection = super.getConnection();
					network.inject(FaultProxy.Fault.BLACK_HOLE);
					return connection;
				}

			};
			connect(dataSource, network.port());
			RuleSource source = RuleTable.source(dataSource, "ratelimit_rules", Duration.ofSeconds(1),
					new YamlRules(new StandardEnvironment(), "ratelimit.rule-source.jdbc.table", "ratelimit_rules"));
			assertThatExceptionOfType(InvalidSettingsException.class).isThrownBy(source::load)
				.withMessageContaining("cannot be read");
		}
	}

	private static String limit(App app) {
		app.bean(RuleRefresh.class).refresh();
		return app.get("/open").headers().firstValue("x-ratelimit-limit").orElse("none");
	}

	private static DataSource dataSource(int port) {
		PGSimpleDataSource dataSource = new PGSimpleDataSource();
		connect(dataSource, port);
		return dataSource;
	}

	private static void connect(PGSimpleDataSource dataSource, int port) {
		dataSource.setServerNames(new String[] { "127.0.0.1" });
		dataSource.setPortNumbers(new int[] { port });
		dataSource.setUser("postgres");
		dataSource.setDatabaseName("postgres");
	}

	private static long heap() {
		for (int i = 0; i < 3; i++) {
			System.gc();
		}
		return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
	}

	@Configuration(proxyBeanMethods = false)
	static class Database {

		@Bean
		DataSource dataSource(Environment environment) {
			return ReloadsProof.dataSource(environment.getRequiredProperty("test.postgres.port", Integer.class));
		}

	}

}
