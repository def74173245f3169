package dev.ratelimit.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Decisions in Memcached, and their floor.
 *
 * @param server the server that they share
 */
record MemcachedPeers(Memcached server) {

	/** The title of the floor. */
	static final String FLOOR = "`ma` over a connection per thread";

	private static final AtomicInteger OPENED = new AtomicInteger();

	/** The command that counts a request in a fixed window, and nothing else. */
	Peer floor() {
		return new Peer(FLOOR, "no limit: a floor", "https://docs.memcached.org/protocols/meta/",
				(redis, workload) -> new Increments(this.server));
	}

	List<Peer> ours() {
		return List.of(ours("fixed-window", "exact from edge to edge"),
				ours("sliding-window-counter", "two counters: an estimate"));
	}

	/** Each has keys of its own, because only Redis is emptied between samples. */
	private Peer ours(String algorithm, String counts) {
		return new Peer("ratelimit-starter-memcached, " + algorithm, counts, "memcached.md", (redis, workload) -> Ours
			.inMemcached(this.server, workload, algorithm, "bench-" + OPENED.incrementAndGet()));
	}

	/** Counts keys, on a connection of each thread. */
	private static final class Increments implements Contender {

		private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();

		private final ThreadLocal<Connection> connections;

		Increments(Memcached server) {
			this.connections = ThreadLocal.withInitial(() -> open(server));
		}

		private Connection open(Memcached server) {
			try {
				Socket socket = server.connect();
				this.sockets.add(socket);
				socket.setTcpNoDelay(true);
				return new Connection(socket,
						new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII)));
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

		@Override
		public boolean tryAcquire(String key) {
			try {
				return this.connections.get().increment("floor:" + key) > 0;
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

		@Override
		public void close() {
			for (Socket socket : this.sockets) {
				try {
					socket.close();
				}
				catch (IOException ex) {
					throw new UncheckedIOException(ex);
				}
			}
		}

	}

	private record Connection(Socket socket, BufferedReader in) {

		long increment(String key) throws IOException {
			this.socket.getOutputStream()
				.write(("ma " + key + " N11 J1 D1 MI v t\r\n").getBytes(StandardCharsets.US_ASCII));
			this.in.readLine();
			return Long.parseLong(this.in.readLine());
		}

	}

}
