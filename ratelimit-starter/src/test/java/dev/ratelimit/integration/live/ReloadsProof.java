package dev.ratelimit.integration.live;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Locale;

import javax.sql.DataSource;

import dev.ratelimit.integration.support.App;
import dev.ratelimit.rule.live.RuleRefresh;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Ten thousand changes of the rules under load, and a table in PostgreSQL that becomes
 * unavailable and available again.
 */
@Tag("proof-reloads")
class ReloadsProof {

	private static final int RELOADS = 10_000;

	private static final long HEAP_BYTES = 16L << 20;

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
	void aTableInPostgresqlGoesAwayAndComesBack() throws IOException {
		boolean required = "required".equals(System.getProperty("proof.postgresql"));
		if (!required && !Postgres.isInstalled()) {
			System.out.println("P25 skipped: there is no PostgreSQL under /usr/lib/postgresql (apt-get install "
					+ "postgresql; -Dproof.postgresql=required insists)");
			Assumptions.abort("There is no PostgreSQL");
		}
		try (Postgres postgres = Postgres.start()) {
			DataSource dataSource = dataSource(postgres.port());
			new RulesTable(dataSource).create();
			try (App app = App.start("""
					ratelimit:
					  store: memory
					  rule-source: {refresh: 1h, jdbc: {table: ratelimit_rules}}
					test.postgres.port: %d
					""".formatted(postgres.port()), Database.class)) {
				insertChangeAndDelete(app, new RulesTable(dataSource));
				goAwayAndComeBack(app, postgres, new RulesTable(dataSource));
			}
		}
		System.out.println("P25 a table in PostgreSQL: rows limit the next request; the server stopped, the last good "
				+ "rules stayed; it came back, and its rows were in force");
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
		table.execute("update ratelimit_rules set rule = '{paths: /open, thresholds: 5/10m}'");
		assertThat(limit(app)).isEqualTo("5");
		assertThat(app.get("/actuator/ratelimits").body()).doesNotContain("cannot be read");
	}

	private static String limit(App app) {
		app.bean(RuleRefresh.class).look();
		return app.get("/open").headers().firstValue("x-ratelimit-limit").orElse("none");
	}

	private static DataSource dataSource(int port) {
		PGSimpleDataSource dataSource = new PGSimpleDataSource();
		dataSource.setServerNames(new String[] { "127.0.0.1" });
		dataSource.setPortNumbers(new int[] { port });
		dataSource.setUser("postgres");
		dataSource.setDatabaseName("postgres");
		return dataSource;
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
