package dev.ratelimit.memcached;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.Limit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Decisions per second of sixteen threads, as a ratio to the floor: a plain increment
 * over a connection per thread. Rounds of the two alternate, so that both see the same
 * machine. Needs a Memcached.
 */
@Tag("proof-memcached")
class MemcachedThroughputProof {

	private static final int THREADS = 16;

	private static final int CALLS_OF_A_THREAD = 6000;

	private static final int ROUNDS = 7;

	private static final double BAR = 0.9;

	private static final Limit LIMIT = Requests.limit(Algorithm.FIXED_WINDOW, "fast", "1000000000/1h");

	private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

	@Test
	void aDecisionCostsLittleMoreThanAnIncrement() throws Exception {
		try (MemcachedServer server = MemcachedServer.startOrFail();
				MemcachedStore store = new MemcachedStore(MemcachedServer.connections(server.address()).open(),
						"rl:shop", InstantSource.system(), (rule, acknowledged) -> {
						})) {
			List<Double> ratios = new ArrayList<>();
			for (int round = 0; round <= ROUNDS; round++) {
				double floor = perSecond((thread) -> increments(server, thread));
				double ours = perSecond((thread) -> decisions(store, thread));
				if (round > 0) {
					ratios.add(ours / floor);
				}
				System.out.printf(Locale.ROOT, "decisions %.0f/s, increments %.0f/s, ratio %.2f%n", ours, floor,
						ours / floor);
			}
			double median = ratios.stream().sorted().skip(ROUNDS / 2).findFirst().orElseThrow();
			System.out.printf(Locale.ROOT, "decisions are %.2f of increments, at least %.1f%n", median, BAR);
			assertThat(median).isGreaterThanOrEqualTo(BAR);
		}
		finally {
			this.threads.shutdownNow();
		}
	}

	private double perSecond(Work work) throws Exception {
		Stream<Callable<Long>> tasks = IntStream.range(0, THREADS).mapToObj((thread) -> () -> work.run(thread));
		long begun = System.nanoTime();
		long calls = 0;
		for (var done : this.threads.invokeAll(tasks.toList())) {
			calls += done.get();
		}
		return calls * 1e9 / (System.nanoTime() - begun);
	}

	private static long decisions(MemcachedStore store, int thread) {
		long admitted = 0;
		for (int i = 0; i < CALLS_OF_A_THREAD; i++) {
			AcquireRequest request = Requests.request(LIMIT, "uclient-" + (thread * 61 + i) % 1000, 1);
			admitted += Requests.admits(store, request) ? 1 : 0;
		}
		return admitted;
	}

	private static long increments(MemcachedServer server, int thread) throws IOException {
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
			socket.setTcpNoDelay(true);
			OutputStream out = socket.getOutputStream();
			BufferedReader in = new BufferedReader(
					new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
			long counted = 0;
			for (int i = 0; i < CALLS_OF_A_THREAD; i++) {
				String key = "floor:uclient-" + (thread * 61 + i) % 1000;
				out.write(("ma " + key + " N3601 J1 D1 MI v t\r\n").getBytes(StandardCharsets.US_ASCII));
				in.readLine();
				counted += (Long.parseLong(in.readLine()) > 0) ? 1 : 0;
			}
			return counted;
		}
	}

	private interface Work {

		long run(int thread) throws Exception;

	}

}
