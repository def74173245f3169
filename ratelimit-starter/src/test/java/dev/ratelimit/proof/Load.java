package dev.ratelimit.proof;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Clients that send requests over HTTP, one after the other with a short rest between,
 * each on a connection of its own.
 */
final class Load implements AutoCloseable {

	private static final Pattern LENGTH = Pattern.compile("\r\nContent-Length: (\\d+)");

	private static final long REST_NANOS = 5_000_000;

	/** Longer than any deadline: a request without a response is reported, and ends. */
	private static final int READ_MILLIS = 60_000;

	private final int port;

	private final IntFunction<Request> requests;

	private final Queue<Response> responses = new ConcurrentLinkedQueue<>();

	private final AtomicInteger next = new AtomicInteger();

	private final CountDownLatch closed = new CountDownLatch(1);

	private final List<Thread> threads = new ArrayList<>();

	private Load(int port, IntFunction<Request> requests) {
		this.port = port;
		this.requests = requests;
	}

	/**
	 * Begin to send requests.
	 * @param port the port of the application
	 * @param clients how many clients
	 * @param requests the n-th request of all of them
	 * @return the load
	 */
	static Load start(int port, int clients, IntFunction<Request> requests) {
		Load load = new Load(port, requests);
		for (int i = 0; i < clients; i++) {
			Thread thread = new Thread(load::run, "load-" + i);
			load.threads.add(thread);
			thread.start();
		}
		return load;
	}

	/**
	 * The responses so far to requests that were sent after a time and before another.
	 */
	Stream<Response> responses(long fromNanos, long toNanos) {
		return this.responses.stream()
			.filter((response) -> response.startNanos() > fromNanos && response.startNanos() < toNanos);
	}

	private void run() {
		while (this.closed.getCount() > 0) {
			try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), this.port)) {
				socket.setTcpNoDelay(true);
				socket.setSoTimeout(READ_MILLIS);
				InputStream in = new BufferedInputStream(socket.getInputStream());
				boolean keepAlive = true;
				while (keepAlive && this.closed.getCount() > 0) {
					Request request = this.requests.apply(this.next.getAndIncrement());
					long start = System.nanoTime();
					socket.getOutputStream().write(request.bytes());
					String head = readHead(in);
					this.responses
						.add(new Response(start, System.nanoTime(), request, Integer.parseInt(head.substring(9, 12))));
					keepAlive = skipBody(head, in);
					LockSupport.parkNanos(REST_NANOS);
				}
			}
			catch (IOException ex) {
				this.responses.add(new Response(System.nanoTime(), System.nanoTime(), new Request("", ""), 599));
			}
		}
	}

	/**
	 * Whether another response can follow: Tomcat closes the connection after many
	 * errors.
	 */
	private static boolean skipBody(String head, InputStream in) throws IOException {
		Matcher length = LENGTH.matcher(head);
		if (!length.find() || head.contains("\r\nConnection: close")) {
			return false;
		}
		in.skipNBytes(Long.parseLong(length.group(1)));
		return true;
	}

	private static String readHead(InputStream in) throws IOException {
		StringBuilder head = new StringBuilder();
		while (head.indexOf("\r\n\r\n") < 0) {
			int next = in.read();
			if (next < 0) {
				throw new IOException("The application has closed the connection");
			}
			head.append((char) next);
		}
		return head.toString();
	}

	@Override
	public void close() {
		stop();
	}

	/** Sends no more requests and returns the responses. */
	List<Response> stop() {
		this.closed.countDown();
		for (Thread thread : this.threads) {
			try {
				thread.join();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}
		return List.copyOf(this.responses);
	}

	/**
	 * A request.
	 *
	 * @param path its path
	 * @param client the client that sends it: a name, or an address
	 */
	record Request(String path, String client) {

		byte[] bytes() {
			return ("GET " + this.path + " HTTP/1.1\r\nHost: localhost\r\nX-Client: " + this.client
					+ "\r\nX-Forwarded-For: " + this.client + "\r\n\r\n")
				.getBytes(StandardCharsets.US_ASCII);
		}

	}

	/**
	 * The response to a request.
	 *
	 * @param startNanos when the request was sent
	 * @param endNanos when the response arrived
	 * @param request the request
	 * @param status the status; 599 where there was no response
	 */
	record Response(long startNanos, long endNanos, Request request, int status) {
	}

}
