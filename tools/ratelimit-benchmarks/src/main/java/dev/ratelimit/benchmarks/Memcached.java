package dev.ratelimit.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * A Memcached with one thread, as Redis has: the one that the environment variable
 * {@code MEMCACHED_SERVER} names, or the one on the PATH.
 *
 * @param process the server
 * @param port its port
 */
record Memcached(Process process, int port) implements AutoCloseable {

	private static final Duration PATIENCE = Duration.ofSeconds(10);

	/**
	 * Start a server.
	 * @return the server, ready for connections; empty where there is none to start
	 */
	static Optional<Memcached> start() {
		String executable = System.getenv().getOrDefault("MEMCACHED_SERVER", "memcached");
		int port = freePort();
		try {
			Process process = new ProcessBuilder(executable, "-l", "127.0.0.1", "-p", Integer.toString(port), "-U", "0",
					"-t", "1", "-u", "nobody")
				.redirectErrorStream(true)
				.redirectOutput(ProcessBuilder.Redirect.DISCARD)
				.start();
			Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
			Memcached server = new Memcached(process, port);
			server.awaitReady();
			return Optional.of(server);
		}
		catch (IOException ex) {
			return Optional.empty();
		}
	}

	private static int freePort() {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void awaitReady() {
		long end = System.nanoTime() + PATIENCE.toNanos();
		while (!isListening()) {
			if (!this.process.isAlive() || System.nanoTime() - end > 0) {
				throw new IllegalStateException("Memcached does not start on port " + this.port);
			}
			LockSupport.parkNanos(1_000_000);
		}
	}

	private boolean isListening() {
		try (Socket socket = connect()) {
			return socket.isConnected();
		}
		catch (IOException ex) {
			return false;
		}
	}

	Socket connect() throws IOException {
		return new Socket(InetAddress.getLoopbackAddress(), this.port);
	}

	@Override
	public void close() {
		this.process.destroyForcibly().onExit().join();
	}

}
