package dev.ratelimit.integration.failure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;

import dev.ratelimit.fixture.Patience;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Clients that send requests all at once, and again as soon as they receive a response.
 */
final class Stampede {

	private static final byte[] REQUEST = "GET /compute HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
		.getBytes(StandardCharsets.US_ASCII);

	private Stampede() {
	}

	/**
	 * Send the requests, and wait for all responses.
	 * @param port the port of the application
	 * @param clients how many clients start at once
	 * @param each how many requests each of them sends, one after the other
	 * @return how many responses had which status; -1 where there was none
	 */
	static Map<Integer, Integer> run(int port, int clients, int each) throws InterruptedException {
		Queue<Integer> statuses = new ConcurrentLinkedQueue<>();
		CountDownLatch gate = new CountDownLatch(1);
		List<Thread> threads = new ArrayList<>();
		for (int i = 0; i < clients; i++) {
			Thread thread = new Thread(() -> {
				await(gate);
				for (int n = 0; n < each; n++) {
					statuses.add(status(port));
				}
			});
			threads.add(thread);
			thread.start();
		}
		gate.countDown();
		for (Thread thread : threads) {
			thread.join();
		}
		Map<Integer, Integer> counts = new TreeMap<>();
		statuses.forEach((status) -> counts.merge(status, 1, Integer::sum));
		return counts;
	}

	private static void await(CountDownLatch gate) {
		try {
			gate.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static int status(int port) {
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
			socket.setSoTimeout((int) Patience.LONG.multipliedBy(10).toMillis());
			socket.getOutputStream().write(REQUEST);
			String response = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
			return response.isEmpty() ? -1 : Integer.parseInt(response.substring(9, 12));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Computes, so that many requests at once occupy all processors. */
	@RestController
	static class Computation {

		private static final int STEPS = 2_000_000;

		@GetMapping("/compute")
		String compute() {
			long value = 1;
			for (int i = 0; i < STEPS; i++) {
				value = value * 6364136223846793005L + 1442695040888963407L;
			}
			return Long.toString(value);
		}

	}

}
