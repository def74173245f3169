package dev.ratelimit.store.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Stands between clients and a server, and counts the bytes on each connection. A
 * connection that has sent more than the maximum is no longer read, as by a server that
 * stops reading.
 */
final class CountingProxy implements AutoCloseable {

	private final ServerSocket listener;

	private final int target;

	private final long mostBytes;

	private final Duration replyDelay;

	private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();

	private final CountDownLatch readAgain = new CountDownLatch(1);

	private final AtomicLong mostBetweenReplies = new AtomicLong();

	private final AtomicInteger unread = new AtomicInteger();

	private final AtomicInteger endedUnread = new AtomicInteger();

	private CountingProxy(int target, long mostBytes, Duration replyDelay) throws IOException {
		this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		this.target = target;
		this.mostBytes = mostBytes;
		this.replyDelay = replyDelay;
	}

	/**
	 * Open a proxy.
	 * @param port the port of the server
	 * @param mostBytes how many bytes of one connection are read
	 * @param replyDelay how late replies are
	 */
	static CountingProxy to(int port, long mostBytes, Duration replyDelay) {
		try {
			CountingProxy proxy = new CountingProxy(port, mostBytes, replyDelay);
			start(proxy::accept);
			return proxy;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	String address() {
		return "127.0.0.1:" + this.listener.getLocalPort();
	}

	/** The most bytes that a connection has sent between two replies. */
	long mostBetweenReplies() {
		return this.mostBetweenReplies.get();
	}

	/** How many connections are no longer read. */
	int unread() {
		return this.unread.get();
	}

	/** Read what was left, and return how many clients have ended these connections. */
	int endedUnread() {
		this.readAgain.countDown();
		return this.endedUnread.get();
	}

	private void accept() throws IOException {
		while (true) {
			Socket client = this.listener.accept();
			Socket server = new Socket(InetAddress.getLoopbackAddress(), this.target);
			this.sockets.add(client);
			this.sockets.add(server);
			AtomicLong sinceReply = new AtomicLong();
			start(() -> forwardRequests(client, server, sinceReply));
			start(() -> forwardReplies(server, client, sinceReply));
		}
	}

	private void forwardRequests(Socket client, Socket server, AtomicLong sinceReply) throws IOException {
		byte[] buffer = new byte[8192];
		long total = 0;
		try (InputStream in = client.getInputStream(); OutputStream out = server.getOutputStream()) {
			for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
				total += length;
				this.mostBetweenReplies.accumulateAndGet(sinceReply.addAndGet(length), Math::max);
				if (total > this.mostBytes) {
					drain(in);
					return;
				}
				out.write(buffer, 0, length);
			}
		}
	}

	private void drain(InputStream in) throws IOException {
		this.unread.incrementAndGet();
		pass(this.readAgain, Duration.ofMinutes(1));
		try {
			in.transferTo(OutputStream.nullOutputStream());
		}
		finally {
			this.endedUnread.incrementAndGet();
		}
	}

	private void forwardReplies(Socket server, Socket client, AtomicLong sinceReply) throws IOException {
		byte[] buffer = new byte[8192];
		try (InputStream in = server.getInputStream(); OutputStream out = client.getOutputStream()) {
			for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
				pass(new CountDownLatch(1), this.replyDelay);
				sinceReply.set(0);
				out.write(buffer, 0, length);
			}
		}
	}

	private static void pass(CountDownLatch latch, Duration time) throws IOException {
		try {
			boolean ignored = latch.await(time.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			throw new IOException(ex);
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
		}, "counting-proxy");
		thread.setDaemon(true);
		thread.start();
	}

	@Override
	public void close() {
		this.readAgain.countDown();
		try {
			this.listener.close();
			for (Socket socket : this.sockets) {
				socket.close();
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@FunctionalInterface
	private interface IoTask {

		void run() throws IOException;

	}

}
