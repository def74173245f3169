package dev.ratelimit.integration.outbound;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.AppProcess;
import dev.ratelimit.integration.support.Provider;
import dev.ratelimit.integration.support.SharedCluster;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Three processes call one provider that allows ten calls per second, all at once. The
 * log in Redis holds their turns: its longest window outlasts the test, and its scores
 * are Redis' own times.
 */
@Tag("proof-algorithms")
@ExtendWith(SharedCluster.class)
class ThreeProcessesCallProof {

	private static final int CALLS = 120;

	private static final int LIMIT = 10;

	private static final long SECOND_MICROS = 1_000_000;

	@Test
	@DisplayName("4.2 Three processes call a provider at the pace it allows, never faster and hardly slower")
	void aProviderIsCalledAtThePaceItAllows() throws Exception {
		String prefix = App.newPrefix();
		List<AppProcess> callers = new ArrayList<>();
		ExecutorService threads = Executors.newFixedThreadPool(3);
		try (Provider provider = new Provider()) {
			for (int i = 0; i < 3; i++) {
				callers.add(new AppProcess(arguments(prefix)));
			}
			for (AppProcess caller : callers) {
				caller.awaitStart();
			}
			String path = "/calls?count=" + CALLS / 3 + "&url="
					+ URLEncoder.encode(provider.url("127.0.0.1"), StandardCharsets.UTF_8);
			List<Future<String>> made = new ArrayList<>();
			for (AppProcess caller : callers) {
				made.add(threads.submit(() -> App.send(caller.port(), "GET", path).body()));
			}
			for (Future<String> calls : made) {
				assertThat(calls.get()).isEqualTo(CALLS / 3 + " calls made");
			}
			List<Long> turns = SharedCluster.scores(SharedCluster.keys(prefix).iterator().next())
				.stream()
				.filter((score) -> score > 0)
				.toList();
			assertThatNoSecondHoldsMoreThanTheLimit(turns, provider.arrivalsMicros());
		}
		finally {
			threads.shutdownNow();
			callers.forEach(AppProcess::close);
		}
	}

	private static void assertThatNoSecondHoldsMoreThanTheLimit(List<Long> turns, List<Long> arrivals) {
		assertThat(turns).hasSize(CALLS);
		assertThat(arrivals).hasSize(CALLS);
		assertThat(shortestTimeOfOneMoreThanTheLimit(turns)).as("by Redis' time").isGreaterThanOrEqualTo(SECOND_MICROS);
		long jitter = 0;
		for (int i = 0; i < CALLS; i++) {
			assertThat(arrivals.get(i)).as("no call is early").isGreaterThanOrEqualTo(turns.get(i));
			jitter = Math.max(jitter, arrivals.get(i) - turns.get(i));
		}
		assertThat(shortestTimeOfOneMoreThanTheLimit(arrivals)).as("at the provider, with a jitter of %d us", jitter)
			.isGreaterThanOrEqualTo(SECOND_MICROS - jitter);
		double seconds = (arrivals.get(CALLS - 1) - turns.get(0) + SECOND_MICROS) / 1e6;
		assertThat(CALLS / seconds).as("calls per second").isGreaterThanOrEqualTo(9.5);
		System.out.printf("%d calls of three processes: %.2f per second, each at most %d ms after its turn%n", CALLS,
				CALLS / seconds, jitter / 1000);
	}

	private static long shortestTimeOfOneMoreThanTheLimit(List<Long> times) {
		long shortest = Long.MAX_VALUE;
		for (int i = LIMIT; i < times.size(); i++) {
			shortest = Math.min(shortest, times.get(i) - times.get(i - LIMIT));
		}
		return shortest;
	}

	private static List<String> arguments(String prefix) {
		return List.of("--spring.main.sources=" + Calls.class.getName(), "--ratelimit.key-prefix=" + prefix,
				"--ratelimit.deadline=10s", "--ratelimit.rules.provider.key=global",
				"--ratelimit.rules.provider.thresholds=" + LIMIT + "/1s,1000/10m",
				"--ratelimit.clients.provider.rule=provider", "--ratelimit.clients.provider.hosts=127.0.0.1",
				"--ratelimit.clients.provider.max-wait=2m",
				"--spring.data.redis.cluster.nodes=" + String.join(",", SharedCluster.addresses()));
	}

	/** Calls on demand, all of them at once. */
	@RestController
	static class Calls {

		private final RestClient client;

		Calls(RestClient.Builder builder) {
			this.client = builder.build();
		}

		@GetMapping("/calls")
		String call(@RequestParam int count, @RequestParam String url) throws InterruptedException, ExecutionException {
			ExecutorService callers = Executors.newFixedThreadPool(count);
			try {
				Callable<Boolean> call = () -> this.client.get()
					.uri(url)
					.retrieve()
					.toBodilessEntity()
					.getStatusCode()
					.is2xxSuccessful();
				int made = 0;
				for (Future<Boolean> one : callers.invokeAll(Collections.nCopies(count, call))) {
					made += one.get() ? 1 : 0;
				}
				return made + " calls made";
			}
			finally {
				callers.shutdownNow();
			}
		}

	}

}
