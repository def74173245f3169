package dev.ratelimit.integration.algorithms;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.AppProcess;
import dev.ratelimit.integration.support.SharedCluster;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Three application processes on one cluster under concurrent load. The log in Redis is
 * the log of admissions: its longest window outlasts the test, and its scores are Redis'
 * own times.
 */
@Tag("proof-algorithms")
@ExtendWith(SharedCluster.class)
class ThreeProcessesProof {

	private static final int SHORT = 40;

	private static final int LONG = 100;

	@Test
	@DisplayName("0.5, 3.3, 3.6, 3.22 Three processes under load: no window anywhere holds more than its threshold")
	void noWindowAnywhereHoldsMoreThanItsThreshold() throws Exception {
		String prefix = App.newPrefix();
		List<AppProcess> instances = new ArrayList<>();
		ExecutorService callers = Executors.newFixedThreadPool(12);
		try {
			for (int i = 0; i < 3; i++) {
				instances.add(new AppProcess(arguments(prefix)));
			}
			for (AppProcess instance : instances) {
				instance.awaitStart();
			}
			List<Callable<Integer>> clients = new ArrayList<>();
			for (int client = 0; client < 12; client++) {
				int port = instances.get(client % 3).port();
				clients.add(() -> admissionsUntilTheLongWindowIsFull(port));
			}
			int admitted = 0;
			for (Future<Integer> admissions : callers.invokeAll(clients)) {
				admitted += admissions.get();
			}
			List<Long> micros = SharedCluster.scores(SharedCluster.keys(prefix).iterator().next());
			assertThat(micros).as("every admission is in the log").hasSize(admitted).hasSize(LONG);
			int most = mostWithin(micros, 1_000_000);
			assertThat(most).as("in any second").isLessThanOrEqualTo(SHORT);
			System.out.printf("%d admissions of three processes, all in the log, at most %d of %d in any second%n",
					admitted, most, SHORT);
		}
		finally {
			callers.shutdownNow();
			instances.forEach(AppProcess::close);
		}
	}

	private static int admissionsUntilTheLongWindowIsFull(int port) {
		int admissions = 0;
		while (true) {
			HttpResponse<String> response = App.send(port, "GET", "/v1/product");
			if (response.statusCode() == 200) {
				admissions++;
				continue;
			}
			assertThat(response.statusCode()).isEqualTo(429);
			if (response.body().contains("\"shared-10m\"")) {
				return admissions;
			}
		}
	}

	private static List<String> arguments(String prefix) {
		return List.of("--ratelimit.key-prefix=" + prefix, "--ratelimit.deadline=10s",
				"--ratelimit.rules.shared.paths=/v1/product", "--ratelimit.rules.shared.key=global",
				"--ratelimit.rules.shared.thresholds=" + SHORT + "/1s," + LONG + "/10m",
				"--spring.data.redis.cluster.nodes=" + String.join(",", SharedCluster.addresses()));
	}

	private static int mostWithin(List<Long> micros, long windowMicros) {
		int most = 0;
		int from = 0;
		for (int to = 0; to < micros.size(); to++) {
			while (micros.get(to) - micros.get(from) >= windowMicros) {
				from++;
			}
			most = Math.max(most, to - from + 1);
		}
		return most;
	}

}
