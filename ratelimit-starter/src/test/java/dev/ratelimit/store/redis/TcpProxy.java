package dev.ratelimit.store.redis;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

import org.awaitility.Awaitility;

/**
 * Stands between a client and a server: records what passes, and holds back or swallows
 * what the server replies.
 */
public final class TcpProxy implements AutoCloseable {

	private enum Replies {

		PASS, HOLD, SWALLOW

	}

	private final ServerSocket listener;

	private final int target;

	private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();

	private final ByteArrayOutputStream requests = new ByteArrayOutputStream();

	private final ByteArrayOutputStream responses = new ByteArrayOutputStream();

	private final Object monitor = new Object();

	/** How many bytes of the next reply were sent before it. */
	private final AtomicInteger early = new AtomicInteger();

	private Replies replies = Replies.PASS;

	private TcpProxy(int target) throws IOException {
		this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		this.target = target;
	}

	public static TcpProxy to(int port) {
		try {
			TcpProxy proxy = new TcpProxy(port);
			start(proxy::accept);
			return proxy;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	public int port() {
		return this.listener.getLocalPort();
	}

	public String address() {
		return "127.0.0.1:" + port();
	}

	/** From now on the server's replies are held, in order, until they may pass. */
	public void holdReplies() {
		set(Replies.HOLD);
	}

	/**
	 * The first byte of the next reply over the only connection arrives at once, and the
	 * rest is held.
	 * @param first that byte
	 */
	public void holdAllBut(char first) throws IOException {
		holdReplies();
		this.early.set(1);
		this.sockets.element().getOutputStream().write(first);
	}

	/** From now on the server's replies are lost. */
	public void swallowReplies() {
		set(Replies.SWALLOW);
	}

	public void passReplies() {
		set(Replies.PASS);
	}

	private void set(Replies replies) {
		synchronized (this.monitor) {
			this.replies = replies;
			this.monitor.notifyAll();
		}
	}

	/** Discard the records. */
	public void reset() {
		this.requests.reset();
		this.responses.reset();
	}

	String requests() {
		return this.requests.toString(StandardCharsets.ISO_8859_1);
	}

	String responses() {
		return this.responses.toString(StandardCharsets.ISO_8859_1);
	}

	public int requested(String text) {
		return requests().split(text, -1).length - 1;
	}

	public void awaitResponse() {
		Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> !responses().isEmpty());
	}

	private void accept() throws IOException {
		while (true) {
			Socket client = this.listener.accept();
			Socket server = new Socket(InetAddress.getLoopbackAddress(), this.target);
			this.sockets.add(client);
			this.sockets.add(server);
			start(() -> pump(client, server, this.requests, false));
			start(() -> pump(server, client, this.responses, true));
		}
	}

	private void pump(Socket from, Socket to, ByteArrayOutputStream record, boolean reply) throws IOException {
		byte[] buffer = new byte[8192];
		try (InputStream in = from.getInputStream(); OutputStream out = to.getOutputStream()) {
			for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
				record.write(buffer, 0, length);
				int sent = reply ? this.early.getAndSet(0) : 0;
				if (!reply || mayPass()) {
					out.write(buffer, sent, length - sent);
				}
			}
		}
	}

	private boolean mayPass() {
		synchronized (this.monitor) {
			while (this.replies == Replies.HOLD) {
				try {
					this.monitor.wait();
				}
				catch (InterruptedException ex) {
					Thread.currentThread().interrupt();
					return false;
				}
			}
			return this.replies == Replies.PASS;
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
		}, "tcp-proxy");
		thread.setDaemon(true);
		thread.start();
	}

	@Override
	public void close() {
		passReplies();
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
