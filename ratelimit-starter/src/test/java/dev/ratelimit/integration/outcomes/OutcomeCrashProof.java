package dev.ratelimit.integration.outcomes;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.AppProcess;
import dev.ratelimit.integration.support.SharedCluster;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An instance that is killed cannot report the outcome of its requests.
 */
@Tag("proof-slow")
@ExtendWith(SharedCluster.class)
class OutcomeCrashProof {

	@Test
	void permitsOfAKilledInstanceStayCountedUntilTheirWindowHasPassed() throws Exception {
		String prefix = App.newPrefix();
		try (AppProcess instance = new AppProcess(arguments(prefix));
				App other = App.start(prefix, SharedCluster.yaml() + "test: {thresholds: 1/1d, count-on: failure}\n",
						OutcomeApp.class)) {
			instance.awaitStart();
			CompletableFuture<Integer> payment = CompletableFuture
				.supplyAsync(() -> App.send(instance.port(), "GET", "/payments/wait/200").statusCode());
			Awaitility.await().until(() -> permits(prefix).size() == 1);
			List<Long> taken = permits(prefix);
			instance.kill();

			assertThat(payment).failsWithin(Duration.ofSeconds(5));
			assertThat(other.get("/payments/answer/402").statusCode()).isEqualTo(429);
			assertThat(permits(prefix)).isEqualTo(taken);
		}
	}

	private static List<Long> permits(String prefix) {
		return SharedCluster.keys(prefix).stream().flatMap((key) -> SharedCluster.scores(key).stream()).toList();
	}

	private static List<String> arguments(String prefix) {
		return List.of("--ratelimit.key-prefix=" + prefix, "--ratelimit.deadline=10s", "--test.thresholds=1/1d",
				"--spring.main.sources=" + OutcomeApp.class.getName(),
				"--spring.data.redis.cluster.nodes=" + String.join(",", SharedCluster.addresses()));
	}

}
