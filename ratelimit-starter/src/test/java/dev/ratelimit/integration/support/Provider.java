package dev.ratelimit.integration.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

/**
 * A service that others call, under every name of this machine: it records when, and
 * responds as the test specifies.
 */
public final class Provider implements AutoCloseable {

	private final Queue<Long> arrivalsMicros = new ConcurrentLinkedQueue<>();

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final HttpServer server;

	private volatile int status = 200;

	private volatile Map<String, String> headers = Map.of();

	public Provider() {
		try {
			this.server = HttpServer.create(new InetSocketAddress(0), 1000);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.server.createContext("/", this::answer);
		this.server.setExecutor(this.threads);
		this.server.start();
	}

	private void answer(HttpExchange exchange) throws IOException {
		this.arrivalsMicros.add(ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()));
		this.headers.forEach(exchange.getResponseHeaders()::add);
		exchange.sendResponseHeaders(this.status, -1);
		exchange.close();
	}

	/** Set the response from now on. */
	public void answer(int status, Map<String, String> headers) {
		this.headers = headers;
		this.status = status;
	}

	/** Forget all calls, and respond as at the beginning. */
	public void reset() {
		answer(200, Map.of());
		this.arrivalsMicros.clear();
	}

	public String url(String host) {
		return "http://" + host + ":" + this.server.getAddress().getPort() + "/";
	}

	/** The times of all calls, in order, in microseconds. */
	public List<Long> arrivalsMicros() {
		return this.arrivalsMicros.stream().sorted().toList();
	}

	@Override
	public void close() {
		this.server.stop(0);
		this.threads.shutdownNow();
	}

}
