package dev.ratelimit.store.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A line to a server far away: each direction takes its time, give or take some, and can
 * be interrupted. What is sent meanwhile arrives when it is whole again, as TCP sends it
 * again.
 */
final class WideAreaLine implements AutoCloseable {

	private final ServerSocket listener;

	private final int target;

	private final Duration delay;

	private final Duration jitter;

	private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();

	private final AtomicLong bytes = new AtomicLong();

	private final Object monitor = new Object();

	private boolean requestsPass = true;

	private boolean repliesPass = true;

	private WideAreaLine(int target, Duration delay, Duration jitter) throws IOException {
		this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		this.target = target;
		this.delay = delay;
		this.jitter = jitter;
	}

	static WideAreaLine to(int port, Duration delay, Duration jitter) {
		try {
			WideAreaLine line = new WideAreaLine(port, delay, jitter);
			start(line::accept);
			return line;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	int port() {
		return this.listener.getLocalPort();
	}

	/** The bytes that were sent in both directions. */
	long bytes() {
		return this.bytes.get();
	}

	/** Whether what is sent arrives at the server, and what that replies arrives back. */
	void pass(boolean requests, boolean replies) {
		synchronized (this.monitor) {
			this.requestsPass = requests;
			this.repliesPass = replies;
			this.monitor.notifyAll();
		}
	}

	/** Break all connections; new ones can be opened. */
	void cut() {
		for (Socket socket = this.sockets.poll(); socket != null; socket = this.sockets.poll()) {
			try {
				socket.close();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}
	}

	private void accept() throws IOException {
		while (true) {
			Socket client = this.listener.accept();
			Socket server = new Socket(InetAddress.getLoopbackAddress(), this.target);
			this.sockets.add(client);
			this.sockets.add(server);
			carry(client, server, true);
			carry(server, client, false);
		}
	}

	private void carry(Socket from, Socket to, boolean request) {
		BlockingQueue<Optional<Sent>> sent = new LinkedBlockingQueue<>();
		Random random = new Random(this.target);
		start(() -> {
			byte[] buffer = new byte[8192];
			try (InputStream in = from.getInputStream()) {
				for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
					this.bytes.addAndGet(length);
					sent.add(Optional.of(new Sent(ByteBuffer.wrap(Arrays.copyOf(buffer, length)),
							System.nanoTime() + nanos(random))));
				}
			}
			finally {
				sent.add(Optional.empty());
			}
		});
		start(() -> {
			try (OutputStream out = to.getOutputStream()) {
				for (Optional<Sent> next = sent.take(); next.isPresent(); next = sent.take()) {
					LockSupport.parkNanos(Math.max(0, next.get().arrivesNanos() - System.nanoTime()));
					awaitPassing(request);
					out.write(next.get().bytes().array());
				}
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		});
	}

	private long nanos(Random random) {
		return this.delay.toNanos() + (long) (random.nextDouble() * this.jitter.toNanos());
	}

	private void awaitPassing(boolean request) throws InterruptedException {
		synchronized (this.monitor) {
			while (!(request ? this.requestsPass : this.repliesPass)) {
				this.monitor.wait();
			}
		}
	}

	private static void start(IoTask task) {
		Thread thread = new Thread(() -> {
			try {
				task.run();
			}
			catch (IOException ex) {
				// One side has hung up.
			}
		}, "wide-area-line");
		thread.setDaemon(true);
		thread.start();
	}

	@Override
	public void close() {
		pass(true, true);
		try {
			this.listener.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		cut();
	}

	private record Sent(ByteBuffer bytes, long arrivesNanos) {
	}

	@FunctionalInterface
	private interface IoTask {

		void run() throws IOException;

	}

}
