package dev.ratelimit.integration.failure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.AppProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * {@link StarvationTests} with virtual threads, which are not preempted while they
 * compute: on two processors all others wait. Runs the application on a JDK 21 or newer,
 * whichever runs this proof: {@code -Dproof.jdk=/path/to/jdk}.
 */
@Tag("proof-starvation")
class StarvationProof {

	private static final int EACH = 4;

	@ParameterizedTest
	@ValueSource(ints = { 200, 1000 })
	void virtualThreadsThatComputeAreAdmittedExactlyToTheLimit(int clients) throws Exception {
		int limit = clients * EACH * 5 / 8;
		try (RedisServer redis = RedisServer.start();
				AppProcess app = new AppProcess(jdk(), "-XX:TieredStopAtLevel=1", System.getProperty("java.class.path"),
						arguments(redis.port(), limit))) {
			app.awaitStart();
			Map<Integer, Integer> statuses = Stampede.run(app.port(), clients, EACH);
			String failures = App.send(app.port(), "GET", "/actuator/metrics/ratelimit.store.failures").body();
			System.out.printf(Locale.ROOT, "P5 starving, %d virtual threads, limit %d: %s%n", clients, limit, statuses);
			assertThat(failures).as("%s", app.newOutput()).contains("\"value\":0.0");
			assertThat(statuses).isEqualTo(Map.of(200, limit, 429, clients * EACH - limit));
		}
	}

	private static List<String> arguments(int redis, int limit) {
		return List.of("--spring.main.sources=" + Stampede.Computation.class.getName(),
				"--ratelimit.key-prefix=" + App.newPrefix(), "--spring.data.redis.port=" + redis,
				"--spring.threads.virtual.enabled=true", "--server.tomcat.max-connections=2000",
				"--server.tomcat.accept-count=2000", "--management.endpoints.web.exposure.include=metrics",
				"--ratelimit.rules.computing.paths=/compute", "--ratelimit.rules.computing.key=global",
				"--ratelimit.rules.computing.thresholds=" + limit + "/1h");
	}

	private static Path jdk() throws IOException {
		String path = System.getProperty("proof.jdk", "");
		assertThat(path).as("-Dproof.jdk names a JDK 21 or newer, which has virtual threads").isNotEmpty();
		String release = Files.readString(Path.of(path, "release"));
		assertThat(release).as("the release of " + path).containsPattern("JAVA_VERSION=\"(2[1-9]|[3-9][0-9])[.\"]");
		return Path.of(path);
	}

}
